package resume

import "strings"

// titleWords are nouns that only job titles have, in lower case.
var titleWords = wordSet(`
accountant actor actuary adjuster administrator adviser advisor agent agronomist ambassador analyst animator apprentice architect archivist
artist assembler assistant associate astronomer attendant attorney auditor author baker banker barista bartender biologist bookkeeper
botanist broker builder butcher buyer captain caregiver caretaker carpenter cashier ceo cfo chair chairman chairwoman chauffeur chef chemist
chief cio ciso clerk cleaner cmo coach cofounder commander commissioner concierge consultant contractor controller cook coo coordinator copywriter
correspondent counsel counselor counsellor courier cpo cro cto curator custodian data-scientist dean dentist deputy designer detective developer
dietitian director dispatcher doctor draftsman driver economist editor educator electrician engineer entrepreneur estimator evangelist
examiner executive facilitator fellow firefighter florist foreman founder freelance freelancer self-employed gardener geologist geophysicist guard guide
hairdresser handyman head host hostess hygienist illustrator inspector installer instructor intern internist interpreter interviewer
inventor investigator investor janitor journalist judge laborer landscaper lawyer lead leader lecturer librarian lieutenant lifeguard
linguist lobbyist machinist manager marketer mason mathematician mechanic mediator merchandiser meteorologist midwife
model moderator musician nanny nurse nutritionist officer operator optician optometrist organizer owner painter paralegal paramedic
partner pathologist pharmacist photographer physician physicist physiotherapist pilot planner plumber police porter postdoc president
principal processor producer professor programmer promoter proofreader prosecutor psychiatrist psychologist publicist
radiologist realtor receptionist recruiter registrar reporter representative researcher resident retoucher reviewer roofer sailor
salesman salesperson saleswoman scientist scrum secretary sergeant sheriff singer sociologist soldier solicitor sommelier sourcer
specialist statistician steward stewardess strategist stylist superintendent supervisor surgeon surveyor tailor teacher technician
technologist teller tester therapist trader trainee trainer translator treasurer tutor underwriter upholsterer veterinarian
videographer volunteer vp evp svp avp expert professional graduate postdoctoral masseuse sdr bdr rn lpn cna swe sre qa pm tpm waiter waitress warden welder writer zoologist
berater entwickler entwicklerin geschäftsführer ingenieur ingenieurin leiter leiterin praktikant développeur ingénieur responsable chargé
directeur desarrollador desarrolladora ingeniero ingeniera gerente analista diseñador sviluppatore ingegnere utvecklare ingenjör konsult chef
programista inżynier kierownik инженер разработчик менеджер директор аналитик`)

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}
