package identity

import "strings"

// nicknameGroups lists the forms of one given name per line. A short form of several
// names is in several groups. The groups are never merged, so that Samuel and
// Samantha stay different although both are Sam.
const nicknameGroups = `
abigail abby gail
albert al bert
alexander alex alec sasha xander aleksandr alexandre alejandro
alexandra alex sandra lexi sasha aleksandra
alfred fred alf
andrew andy drew andrei andrey
anthony tony antonio antony anton
barbara barb babs
benjamin ben benny benji
bradley brad
catherine katherine kathryn katharine cathy kathy kate katie kat cat catalina katarina
charles charlie chuck chas carlos
christina christine kristina chris tina kristin
christopher chris kit topher kristofer
cynthia cindy
daniel dan danny
danielle dani
david dave davey
deborah debra deb debbie
dominic dom nick
donald don donny
dorothy dot dottie
edward ed eddie ted ned eduardo
eleanor ellie nell nora
elizabeth liz lizzy beth betty eliza elisabeth lisa betsy
emily em emma
eugene gene yevgeny evgeny
evelyn eve evie
francis frank fran francisco paco
frances fran frankie
frederick fred freddie fredrik friedrich
gabriel gabe
gabrielle gabby
george georgie jorge georg
gerald gerry jerry
gregory greg
harold hal harry
henry harry hank hal enrique henrik
isabella isabel bella izzy
jacob jake
jacqueline jackie
james jim jimmy jamie jem
jeffrey jeff geoffrey geoff
jennifer jen jenny
jessica jess jessie
john jack johnny jon juan johan
jonathan jon jonny nathan
joseph joe joey jose josef pepe
joshua josh
judith judy
katarzyna kasia
kenneth ken kenny
kimberly kim
lawrence larry laurence lorenzo
leonard leo len lenny
leonardo leo
louis lou luis
malgorzata gosia margaret
margaret maggie meg peggy greta rita margarita
maria mary marie mariya
matthew matt mateo matthias
maximilian max
megan meg
melissa mel missy
michael mike mick mickey misha mikhail miguel michal
mohammed muhammad mohamed mohammad muhammed mohamad mohd md
nathaniel nathan nate nat
nicholas nick nico nikolai nicolas niklas
olivia liv livvy
pamela pam
patricia pat patty trish tricia
patrick pat paddy
peter pete pedro petr piotr
philip phil phillip
rachel rach
raymond ray
rebecca becky becca
richard rich rick ricky dick ricardo
robert rob robbie bob bobby bert roberto
ronald ron ronnie
russell russ
samantha sam sammy
samuel sam sammy
sarah sara sally
sebastian seb bastian
sergei sergey serge sergio
stephanie steph stefanie
stephen steven steve stefan esteban
susan sue susie suzanne
tatiana tanya tatyana
terence terry terrence
theodore ted teddy theo
theresa teresa terry tess
thomas tom tommy tomas
timothy tim timmy
valentina val
vasily vasya
veronica ronnie nika
victor viktor vic
victoria vicky tori
vincent vince vinny
vladimir vlad volodymyr
walter walt wally
wilhelm will willi william
william bill billy will willy liam
yekaterina katya ekaterina catherine
yusuf yousef youssef joseph
zachary zach zack`

var nicknamesOf = nicknameIndex(nicknameGroups)

// areNicknames reports whether one group holds both names.
func areNicknames(a, b string) bool { return nicknamesOf[a][b] }

func nicknameIndex(groups string) map[string]map[string]bool {
	index := make(map[string]map[string]bool)
	for line := range strings.Lines(groups) {
		group := strings.Fields(line)
		for _, a := range group {
			if index[a] == nil {
				index[a] = make(map[string]bool)
			}
			for _, b := range group {
				index[a][b] = true
			}
		}
	}
	return index
}
