package resume

import (
	"slices"
	"strings"
	"testing"
)

// Classes of entries in files that were written without a template: each is a file, and the
// jobs that it shows as "title | company | start".
func TestEntriesOfAnyStructure(t *testing.T) {
	t.Parallel()
	const top = "Maya Okafor\nmaya.okafor@example.com\n\n"
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"elements apart in a row": {
			page(`<h2>Experience</h2><div><strong>Cooper</strong> <em>Bluestem</em> <span>2019 – 2021</span></div><div><strong>Milliner</strong> <em>Fathom &amp; Tern</em> <span>2016 – 2018</span></div>`),
			[]string{"Cooper | Bluestem | 2019", "Milliner | Fathom & Tern | 2016"},
		},
		"a title that is also under the name": {
			page(`<h2>Cooper</h2><h2>Work</h2><h3>Bluestem Ltd</h3><div>Cooper</div><div>2019 – 2021</div><h2>Education</h2><p>BSc Physics, Ashdown University</p>`),
			[]string{"Cooper | Bluestem Ltd | 2019"},
		},
		"headings of a field, continued on the next page": {
			top + "Experience\nCooper, Bluestem Ltd, 2019 – 2021\nSkills\nGo\nHospitality Experience (continued)\nMilliner, Tern Ltd, 2016 – 2018\nAcademic Appointments\nWelder, Fathom Ltd, 2014 – 2015\nVolunteer Experience\nClerk, Wren Ltd, 2012 – 2013\n",
			[]string{"Cooper | Bluestem Ltd | 2019", "Milliner | Tern Ltd | 2016", "Welder | Fathom Ltd | 2014"},
		},
		"numbered headings": {
			top + "1. Experience\nWelder, Fathom Ltd, 2022 – 2023\n2. Skills\nGo\n3. Industry Experience\nCooper, Bluestem Ltd, 2019 – 2021\n4. Volunteer Experience\nClerk, Wren Ltd, 2012 – 2013\n",
			[]string{"Welder | Fathom Ltd | 2022", "Cooper | Bluestem Ltd | 2019"},
		},
		"an organisation of people": {
			top + "Experience\nUnion of Thatchers and Planners\nCooper\n2019 – 2021\n",
			[]string{"Cooper | Union of Thatchers and Planners | 2019"},
		},
		"a range that a word leaves open": {
			top + "Experience\nCooper\t2021 to\nBluestem Ltd\nMilliner\t2016 to 2018\nTern Ltd\nMoved in 2015 to\nthe office in Leeds\n",
			[]string{"Cooper | Bluestem Ltd | 2021", "Milliner | Tern Ltd | 2016"},
		},
		"a firm of partners": {
			top + "Experience\nCooper, Tallis, Moore and Partners\n2019 – 2021\nMilliner, Wren & Tern Ltd\n2016 – 2018\n",
			[]string{"Cooper | Tallis, Moore and Partners | 2019", "Milliner | Wren & Tern Ltd | 2016"},
		},
		"towns of any name behind employers": {
			top + "Experience\nCooper, Bluestem Maritime AS, Great Oakley, Essex\n2019 – 2021\nWillow County Council, Smallwick\nMilliner\n2016 – 2018\n",
			[]string{"Cooper | Bluestem Maritime AS | 2019", "Milliner | Willow County Council | 2016"},
		},
		"employers with a number, in small letters, and of the state": {
			top + "Experience\nCooper\n21 Degrees\n2019 – 2021\nMilliner\nstudio nord\n2016 – 2018\nWelder\nDepartment of Public Works\n2014 – 2015\n",
			[]string{"Cooper | 21 Degrees | 2019", "Milliner | studio nord | 2016", "Welder | Department of Public Works | 2014"},
		},
		"employers named after those who work there, and in small letters": {
			top + "Experience\nClearview Thatchers\nMilliner / Cooper\n2019 – 2021\nsalt & tern\nWelder\n2016 – 2018\n",
			[]string{"Milliner / Cooper | Clearview Thatchers | 2019", "Welder | salt & tern | 2016"},
		},
		"towns of any name where other jobs have a known place": {
			top + "Experience\nCooper\nBluestem\nLeeds, United Kingdom\n2019 – 2021\nMilliner\nTern\nOakley-on-Wye\n2016 – 2018\nWelder\nFathom\nGreat Wickling, Co. Cork\n2013 – 2015\n",
			[]string{"Cooper | Bluestem | 2019", "Milliner | Tern | 2016", "Welder | Fathom | 2013"},
		},
		"towns of any name at the ends of lines": {
			top + "Experience\n2019 – 2021\tCooper\nFathom & Tern, Leeds\n2016 – 2018\tMilliner\nBluestem, Oakley-on-Wye\n2013 – 2015\tWelder\nWren, Wickling\n",
			[]string{"Cooper | Fathom & Tern | 2019", "Milliner | Bluestem | 2016", "Welder | Wren | 2013"},
		},
		"towns of any name apart from titles with commas": {
			top + "Experience\nCooper, Night Shift, Fathom & Tern – Leeds, UK\t2019 – 2021\nHead of Design, Bluestem – Wickling\t2016 – 2018\n",
			[]string{"Cooper, Night Shift | Fathom & Tern | 2019", "Head of Design | Bluestem | 2016"},
		},
		"dates in a column at the right, beside list items": {
			top + "Experience\nBluestem Ltd, Cooper\tLeeds, United Kingdom\n• Made the barrels of the brewery\t2019 – 2021\n• Kept the workshop\nTern Ltd, Milliner\tWickling\n• Made hats for the theatre\t2016 – 2018\n",
			[]string{"Cooper | Bluestem Ltd | 2019", "Milliner | Tern Ltd | 2016"},
		},
		"titles that name the area they are for": {
			top + "Experience\nHead of Sales, Northern Region\nBluestem\n2019 – 2021\nSales Manager, South & West\nTern\n2016 – 2018\n",
			[]string{"Head of Sales, Northern Region | Bluestem | 2019", "Sales Manager, South & West | Tern | 2016"},
		},
		"towns of any name behind titles and employers with commas": {
			top + "Experience\nEngineer\tTallis, Moore and Partners, Wickling\t2019 – 2021\nClerk\tBluestem, Oakham\t2016 – 2018\n",
			[]string{"Engineer | Tallis, Moore and Partners | 2019", "Clerk | Bluestem | 2016"},
		},
		"titles of any words before at": {
			top + "Experience\nEngineer at Bluestem\n2019 – 2021\nKeelman at Fathom\n2016 – 2018\nWeigh Bridge Keeper at Tern\n2013 – 2015\n",
			[]string{"Engineer | Bluestem | 2019", "Keelman | Fathom | 2016", "Weigh Bridge Keeper | Tern | 2013"},
		},
		"promotions to titles of any words": {
			top + "Experience\nBluestem Builders, Leeds, UK\t2016 – present\nEngineer\t2019 – present\nhttps://www.bluestem.example\n• Built houses\nKeelman\t2016 – 2018\nhttps://www.bluestem.example\n• Built keels\n",
			[]string{"Engineer | Bluestem Builders | 2019", "Keelman | Bluestem Builders | 2016"},
		},
		"promotions above sentences that wrap": {
			top + "Experience\nBluestem Builders, Leeds, UK\nEngineer, since 2019\nMaintained the machines, trained apprentices and kept the records that\ninspectors ask for.\nSurveyor, 2016 to 2018\nJoined as the third employee and stayed until the business was sold.\n",
			[]string{"Engineer | Bluestem Builders | 2019", "Surveyor | Bluestem Builders | 2016"},
		},
		"freelance work beside title and employer": {
			top + "Experience\nBluestem, Cooper - Full-time (2019 – 2021)\nTern, Milliner - Freelance (2016 – 2018)\nFathom, Welder - Temporary (2013 – 2015)\n",
			[]string{"Cooper | Bluestem | 2019", "Milliner | Tern | 2016", "Welder | Fathom | 2013"},
		},
		"freelance work beside a title": {
			top + "Experience\nEngineer - Permanent\n2019 – 2021\nBluestem Records\nPanel Beater - Freelance\n2016 – 2018\nLantern\n",
			[]string{"Engineer | Bluestem Records | 2019", "Panel Beater | Lantern | 2016"},
		},
		"web addresses beside titles": {
			top + "Experience\nBluestem Ltd\tLeeds, UK\nCooper https://www.bluestem.example\t2019 – 2021\n• Made casks\nTern Ltd\tLeeds, UK\nMilliner https://www.tern.example\t2016 – 2018\n",
			[]string{"Cooper | Bluestem Ltd | 2019", "Milliner | Tern Ltd | 2016"},
		},
		"titles that begin with a small letter, and legal forms of initials": {
			top + "Experience\niOS Developer\t58 Oxhey\tLeeds, UK\t2019 – 2021\nEngineer\tLuce Digitale Nord Est S.r.l.s.\tLeeds, UK\t2016 – 2018\n",
			[]string{"iOS Developer | 58 Oxhey | 2019", "Engineer | Luce Digitale Nord Est S.r.l.s. | 2016"},
		},
		"employers before a colon": {
			top + "Experience\n2019 – 2021\tTern Software, Inc.: Cooper\n2016 – 2018\tBluestem Ltd: Milliner\n",
			[]string{"Cooper | Tern Software, Inc. | 2019", "Milliner | Bluestem Ltd | 2016"},
		},
		"a heading of a summary above jobs": {
			top + "Career Summary\n2019 – 2021\nCooper, Bluestem Ltd\nKey skills: oak, iron\n2016 – 2018\nMilliner, Tern Ltd\nKey skills: felt, silk\nProfile\nFathom Works\nClerk\t2014 – 2015\n",
			[]string{"Cooper | Bluestem Ltd | 2019", "Milliner | Tern Ltd | 2016", "Clerk | Fathom Works | 2014"},
		},
		"a heading of two parts without spaces": {
			top + "教育背景\n2005/09 – 2007/07\t明德师范学院\n实习与工作经历\n2022/09 – 现在\t财务总监, 江南纺织集团\n",
			[]string{"财务总监 | 江南纺织集团 | 2022-09"},
		},
		"headings that say what was done, and what was done for nothing": {
			top + "What I've Done\nCooper, Bluestem Ltd, 2019 – 2021\nVoluntary Work\nFood bank helper, Trussell Row, 2017 – 2019\nThings I've Built\nMap of benches, 2018 – 2019\n",
			[]string{"Cooper | Bluestem Ltd | 2019"},
		},
		"heads that are list items": {
			top + "Experience\n• Tern & Sons · Cooper\t2019 – 2021\n• Bluestem Ltd · Milliner\t2016 – 2018\n",
			[]string{"Cooper | Tern & Sons | 2019", "Milliner | Bluestem Ltd | 2016"},
		},
		"promotions below a head on one line": {
			top + "Experience\nCalyx of Westering\tLeeds, UK\tEngineer\tsince 2023\n• Built houses\nFounder & CEO\t2019-2023\n• Built keels\nTern Labs\tAustin, TX\tWelder\t2011-2015\n• Welded\n",
			[]string{"Engineer | Calyx of Westering | 2023", "Founder & CEO | Calyx of Westering | 2019", "Welder | Tern Labs | 2011"},
		},
		"lines that say what a company is": {
			top + "Experience\nEverleigh, plc, Leeds, UK\nGaffer\t2023 – 2025\nwww.everleigh.example\nFast-growing startup in the insurance sector\nDoula\t2021 – 2022\nwww.everleigh.example\nAn online marketplace\nSupply Planner\t2019 – 2020\n",
			[]string{"Gaffer | Everleigh, plc | 2023", "Doula | Everleigh, plc | 2021", "Supply Planner | Everleigh, plc | 2019"},
		},
		"work on one's own account between the dates and the title": {
			top + "Experience\nRemote\t2019 – 2021\tTern Ltd\tEngineer\nRemote\t2016 – 2018\tSelf-employed\tHR Business Partner\n",
			[]string{"Engineer | Tern Ltd | 2019", "HR Business Partner | Self-employed | 2016"},
		},
		"the mark of a timeline before a title": {
			top + "Experience\n2019 – 2021\t● Kitchen Manager\nWEXCOMBE COUNTY COUNCIL\tLeeds, UK\nHead Chef\t● 2016 – 2018\nCRESTLINE TELECOM\tRemote\n",
			[]string{"Kitchen Manager | WEXCOMBE COUNTY COUNCIL | 2019", "Head Chef | CRESTLINE TELECOM | 2016"},
		},
		"employers that are list items of another kind": {
			top + "Experience\n●TERN & SONS\nEngineer\t2019 – 2021\n* Made casks\n●BLUESTEM\nClerk\t2016 – 2018\n* Kept the books\n* Wrote letters\n",
			[]string{"Engineer | TERN & SONS | 2019", "Clerk | BLUESTEM | 2016"},
		},
		"a list item a job": {
			page(`<h2>Experience</h2><div>Engineer at Tern Ltd 2019 – 2021</div><ul><li>Made casks</li></ul><div>Clerk at Bluestem Ltd 2016 – 2018</div><ul><li>Kept the books</li></ul><div>Nurse at Fathom Ltd 2013 – 2015</div>`),
			[]string{"Engineer | Tern Ltd | 2019", "Clerk | Bluestem Ltd | 2016", "Nurse | Fathom Ltd | 2013"},
		},
		"titles in capitals like the headings": {
			top + "EXPERIENCE\nENGINEERING MANAGER\n2019 – 2021\tTern Ltd\nSENIOR SOFTWARE ENGINEER\n2016 – 2018\tBluestem\nEDUCATION\nBSc Physics\nAshdown University\n",
			[]string{"ENGINEERING MANAGER | Tern Ltd | 2019", "SENIOR SOFTWARE ENGINEER | Bluestem | 2016"},
		},
		"a current job behind a date and a dash": {
			top + "Experience\nMay 2022 - Cooper, Bluestem Ltd\n- Made casks\nMay 2020 - Jan 2022 Milliner, Tern Ltd\n",
			[]string{"Cooper | Bluestem Ltd | 2022-05", "Milliner | Tern Ltd | 2020-05"},
		},
		"a year on the line below": {
			top + "Experience\nEngineer\nTern Ltd · Feb 2014 – Aug\n2017\nClerk\nBluestem Ltd · May 2012 – Jan 2014\n",
			[]string{"Engineer | Tern Ltd | 2014-02", "Clerk | Bluestem Ltd | 2012-05"},
		},
		"departments of a town": {
			top + "Experience\nWren County Fire Department\nCooper\n2019 – 2021\nHighway Department\nTern Ltd, Clerk\n2016 – 2018\n",
			[]string{"Cooper | Wren County Fire Department | 2019", "Clerk | Tern Ltd | 2016"},
		},
		"titles with a comma, where other jobs have title and employer apart": {
			top + "Experience\n2019 – 2021\tProject Manager, Rail\tFathom & Tern\n2016 – 2018\tEngineer\tBluestem\n2014 – 2015\tWren Ltd | Nurse, Intensive Care\n",
			[]string{"Project Manager, Rail | Fathom & Tern | 2019", "Engineer | Bluestem | 2016", "Nurse, Intensive Care | Wren Ltd | 2014"},
		},
		"a title with a comma beside a place": {
			top + "Experience\nProject Manager, Rail\tLeeds\nFathom & Tern\t2019 – 2021\nEngineer\tLeeds\nBluestem\t2016 – 2018\n",
			[]string{"Project Manager, Rail | Fathom & Tern | 2019", "Engineer | Bluestem | 2016"},
		},
		"a state that is its city": {
			top + "Experience\n2019 – 2021\tCooper, Bluestem, Singapore\n2016 – 2018\tMilliner, Tern, Leeds, United Kingdom\n",
			[]string{"Cooper | Bluestem | 2019", "Milliner | Tern | 2016"},
		},
		"places of states": {
			top + "Experience\nBluestem\nMelbourne VIC\n2019 – 2021\nCooper\nTern\nPortland, Oregon\n2016 – 2018\nMilliner\n",
			[]string{"Cooper | Bluestem | 2019", "Milliner | Tern | 2016"},
		},
		"places of states behind employers": {
			top + "Experience\n2019 – 2021\tCooper, Paperboat, Denver, CO\n2016 – 2018\tMilliner, Tern, Melbourne VIC\n2014 – 2016\tWelder, Bluestem, Inc., Beaverton, Oregon\n",
			[]string{"Cooper | Paperboat | 2019", "Milliner | Tern | 2016", "Welder | Bluestem, Inc. | 2014"},
		},
		"unknown words, one head not understood": {
			top + "Experience\nKrelvan\nBluestem Ltd\n2019 – 2021\nDravik\nTern Ltd\n2016 – 2018\nFathom | Wren | Zorlik | Brunel\n2014 – 2015\n",
			[]string{"Krelvan | Bluestem Ltd | 2019", "Dravik | Tern Ltd | 2016", " |  | 2014"},
		},
		"text behind heads": {
			top + "Experience\n2019 – 2021\tEngineer, Bluestem Inc., Leeds, United Kingdom. Made barrels of\noak.\njan. 2016 – dec. 2018\tTeacher, Tern, Melbourne VIC.\nMade hats.\n2014 – 2015\tLed the makers of hats, and sold them. Moved on.\n",
			[]string{"Engineer | Bluestem Inc. | 2019", "Teacher | Tern | 2016-01", " |  | 2014"},
		},
		"work on one's own account": {
			top + "Experience\nCooper, Independent Consultant\n2019 – 2021\nMilliner, Self-Employed\n2016 – 2018\nIndependent Consultant | Bluestem Ltd\n2014 – 2015\n",
			[]string{"Cooper | Independent Consultant | 2019", "Milliner | Self-Employed | 2016", "Independent Consultant | Bluestem Ltd | 2014"},
		},
		"company in small letters of a heading": {
			page(`<h2>Experience</h2><h3>Cooper <small>Bluestem Ltd</small></h3><p>2019 – 2021</p><h3>Milliner <small>Tern Ltd</small></h3><p>2016 – 2018</p>`),
			[]string{"Cooper | Bluestem Ltd | 2019", "Milliner | Tern Ltd | 2016"},
		},
		"list items that are entries": {
			page(`<h2>Experience</h2><ul><li><div>Cooper</div><div>Bluestem Ltd, 2019 – 2021</div><ul><li>Made barrels</li></ul></li><li><div>Welder</div><div>Tern Ltd, 2016 – 2018</div></li></ul>`),
			[]string{"Cooper | Bluestem Ltd | 2019", "Welder | Tern Ltd | 2016"},
		},
		"text that is not shown": {
			page(`<h2>Experience</h2><p><span style="display:none">Print 2001 – 2002</span>Welder, Bluestem Ltd, 2019 – 2021</p><p hidden>Clerk, Tern Ltd, 2001 – 2002</p>`),
			[]string{"Welder | Bluestem Ltd | 2019"},
		},
		"a menu above the name": {
			page(`<nav><a href="#w">Work</a> <a href="#e">Education</a></nav><h1>Maya Okafor</h1><h2>Work</h2><p>Welder, Bluestem Ltd, 2019 – 2021</p>`),
			[]string{"Welder | Bluestem Ltd | 2019"},
		},
		"names of elements": {
			page(`<h2>Experience</h2><p><span class="company">Head Gardener</span> – <span class="job-title">Tern</span>, 2019 – 2021</p>`),
			[]string{"Tern | Head Gardener | 2019"},
		},
		"a heading known by its style": {
			page(`<h2 class="s">Skills</h2><p>Go</p><h2 class="s">Two decades of craft</h2><p>Welder, Bluestem Ltd, 2019 – 2021</p><h2 class="s">Education</h2><p>BSc Physics, Ashdown University</p>`),
			[]string{"Welder | Bluestem Ltd | 2019"},
		},
		"a heading of plain words": {
			top + "My career so far\nWelder, Bluestem Ltd, 2019 – 2021\n",
			[]string{"Welder | Bluestem Ltd | 2019"},
		},
		"dates before a title": {
			top + "Experience\n2019 – 2021 · Boatswain\nBluestem\n2016 – 2018 · Gaffer\nTern & Sons\n",
			[]string{"Boatswain | Bluestem | 2019", "Gaffer | Tern & Sons | 2016"},
		},
		"types of employment": {
			top + "Experience\nBoatswain (Contract), Bluestem Ltd\n2019 – 2021\nPart-time\nGaffer - Full-time at Tern\n2016 – 2018\nInternship\n",
			[]string{"Boatswain | Bluestem Ltd | 2019", "Gaffer | Tern | 2016"},
		},
		"departments, websites and what a company is": {
			top + "Experience\nBoatswain\nBluestem\n2019 – 2021\nNorthern Region\nwww.bluestem.example\nRegional maker of rail components with 400 employees\n" +
				"Gaffer\nTern\n2016 – 2018\nRetail Division\nOne of the largest hospitals of the county\n",
			[]string{"Boatswain | Bluestem | 2019", "Gaffer | Tern | 2016"},
		},
		"tools under each job": {
			top + "Experience\nBoatswain, Bluestem Ltd\n2019 – 2021\nTechnologies: Go, SQL\nGaffer, Tern Ltd\n2016 – 2018\nTechnologies: Excel, SAP\n",
			[]string{"Boatswain | Bluestem Ltd | 2019", "Gaffer | Tern Ltd | 2016"},
		},
		"tools under one job": {
			top + "Experience\nBoatswain, Bluestem Ltd\n2019 – 2021\nTechnologies: Go, SQL\nGaffer, Tern Ltd\n2016 – 2018\n",
			[]string{"Boatswain | Bluestem Ltd | 2019", "Gaffer | Tern Ltd | 2016"},
		},
		"elements named after titles that hold employers": {
			page(`<h2>Experience</h2><p class="entry-position">Tern Bank</p><p class="entry-company">Head Gardener</p><p>2019 – 2021</p><p class="entry-position">Oxbow Ltd</p><p class="entry-company">Milliner</p><p>2016 – 2018</p><p class="entry-position">Bluestem</p><p class="entry-company">Teacher</p><p>2014 – 2015</p>`),
			[]string{"Head Gardener | Tern Bank | 2019", "Milliner | Oxbow Ltd | 2016", "Teacher | Bluestem | 2014"},
		},
		"time in a company above its roles": {
			top + "Experience\nBluestem Ltd\t2014 – 2021\nSenior Welder\t2018 – 2021\n- Led\nWelder\t2014 – 2018\n- Welded\n",
			[]string{"Senior Welder | Bluestem Ltd | 2018", "Welder | Bluestem Ltd | 2014"},
		},
		"halves of dates in elements of their own": {
			page(`<h2>Experience</h2><div>Bluestem</div><div><span>04/2022</span><span>- Present</span></div><div>Boatswain</div><ul><li>Led</li></ul><div>Tern</div><div><span>01/2019 –</span><span>03/2022</span></div><div>Gaffer</div><ul><li>Made</li></ul>`),
			[]string{"Boatswain | Bluestem | 2022-04", "Gaffer | Tern | 2019-01"},
		},
		"a heading under each job": {
			top + "Experience\nBoatswain, Bluestem Ltd\n2019 – 2021\nHighlights\n- Led a crew\nGaffer, Tern Ltd\n2016 – 2018\nHighlights\n- Lit a stage\n",
			[]string{"Boatswain | Bluestem Ltd | 2019", "Gaffer | Tern Ltd | 2016"},
		},
		"braces in place of bullets": {
			top + "Experience\nWelder\t2019 – 2021\n{ Led Big Crews\nClerk\t2016 – 2018\n{ Sold Tickets\n",
			[]string{"Welder |  | 2019", "Clerk |  | 2016"},
		},
		"Colorado is no legal form": {
			top + "Experience\nWelder\t2019 – 2021\nBluestem Collective\tDenver, CO\n- Led a crew\nClerk\t2016 – 2018\nBluestem Collective\tDenver, CO\n- Lit stages\n",
			[]string{"Welder | Bluestem Collective | 2019", "Clerk | Bluestem Collective | 2016"},
		},
		"companies in lower case": {
			top + "Experience\nWelder, kitefoundry\n2019 – 2021\nClerk, tidepool\n2016 – 2018\n",
			[]string{"Welder | kitefoundry | 2019", "Clerk | tidepool | 2016"},
		},
		"a neighbour's better words": {
			top + "Experience\n2019 – 2021\nBluestem Hospital (Leeds) · Staff Nurse\n2016 – 2018\n85 Oxhey (Leeds) · Missionary\n",
			[]string{"Staff Nurse | Bluestem Hospital | 2019", "Missionary | 85 Oxhey | 2016"},
		},
	} {
		fields := Extract(mustRead(t, []byte(test.content)), asOf)
		var got []string
		for _, e := range fields.Experiences {
			got = append(got, e.Title+" | "+e.Company+" | "+e.Start.String())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", name, strings.Join(got, "; "), strings.Join(test.want, "; "))
		}
		if fields.Name != "Maya Okafor" {
			t.Errorf("%s: the name is %q", name, fields.Name)
		}
	}
}

// page returns an HTML page of a resume, which has the name unless body has a heading for it.
func page(body string) string {
	if !strings.Contains(body, "<h1>") {
		body = "<h1>Maya Okafor</h1>" + body
	}
	return "<!DOCTYPE html><html><body>" + body + "<p>maya.okafor@example.com</p></body></html>"
}
