package identity

import (
	"strings"
	"sync"
)

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
zachary zach zack
johannes hannes hans johann jan jannis joannes
joachim jochen achim jo
katharina kathe kati katja katrin kathi trina
friedrich fritz fiete frieder
elisabeth lisbeth lisa elsa else liesel sissi bettina elli
margarete grete gretel gret margit greta marga
heinrich heinz heiner hinnerk
wolfgang wolf wolle
ulrich uli ulli
gunther gunter gunni
sebastian basti
susanne susi sanne
andreas andi andy
matthias matze hias
josef sepp beppi jupp
frederic fred freddy
dominique dom domi
emmanuel manu
veronique vero
sebastien seb
guillaume guigui
genevieve gege
francisco paco pancho curro chico kiko
dolores lola loli
ignacio nacho
guadalupe lupe lupita
jesus chuy chus suso
rosario charo
concepcion concha conchita
mercedes merche
pilar pili
enrique quique kike
manuel manolo manu lolo
alejandro alex jandro ale
santiago santi yago
antonio toninho tonho tono antonito toni
jose ze zeca zezinho
eduardo edu duda lalo
fernando nando
sebastiao tiao
beatriz bia
luciana lu
giuseppe beppe peppe pino
francesco checco franco cesco ciccio
alessandro sandro ale
giovanni gianni vanni nino
domenico mimmo
salvatore toto toto turi
luigi gigi gino
vincenzo enzo
cornelis kees cees cor
wilhelmina mina willemijn mien
hendrik henk rik
johanna hanna joke hanne
gerardus gerard ger
petrus piet peter
jacobus koos jaap
lars lasse
karl kalle charlie
jan janne
erik erke jerker
per pelle
nils nisse niels nis
gustav gosta gurra
kristian chresten krister kris
margrethe grethe grete
anders ras
rasmus ras
jorgen jorn
stanislaw staszek stas stach
malgorzata gosia malgosia
aleksander olek alek
aleksandra ola
joanna asia joasia
agnieszka aga
krzysztof krzysiek krzys
zbigniew zbyszek
wojciech wojtek
tomasz tomek
andrzej jedrek
elzbieta ela
jadwiga jadzia
barbara basia
alexander sasha shura sanya sania olek sandu oleksandr sashko
dmitry dima mitya dmitri dmitrii dmytro
ekaterina katya katia kateryna katerina yekaterina kati cati
anastasia nastya nastia nastasiia
vladimir volodya vova volodymyr
natalia natasha nataliya
yulia julia yuliya yuliia
elena lena olena yelena alyona
evgeny zhenya yevgeny yevhen evgenia
nikolay kolya mykola nikolai
aleksey alyosha lyosha oleksii alexei alexey
pavel pasha pavlo
konstantin kostya kostyantyn
svetlana sveta svitlana
ivan vanya
mikhail misha mykhailo mykhas
grigory grisha hryhorii
stepan styopa
oksana ksenia
bohdan bodia
jozef josef pepa pepik jozko
jan honza jenda janko
katerina katka kacka
frantisek franta fanda
jiri jirka
vaclav vasek vena
ladislav lada laco
jaroslav jarda
zdenek zdena
milan milos
gheorghe gigi ghita george
ecaterina cati
ioan ionut nelu ion
constantin costel costi dinu
konstantinos kostas dinos
georgios giorgos yiorgos george
panagiotis takis panos
ioannis giannis yannis yiannis john
dimitrios dimitris mitsos jimmy
athanasios thanasis thanos
evangelos vangelis
vasileios vasilis bill
aikaterini katerina
eleni lena
mehmet memo memet
fatma fatos
ibrahim ibo brahim ebrahim
huseyin huso
mustafa musti
suleyman sulo
khadija khadouj khadidja
mohammed hamada hamoudi medo
abdullah abdu aboud
fatima fatma fatoum
rajesh raju raj
siddharth sid
abhishek abhi
vivekananda vivek
aishwarya aishu
istvan pista pisti
jozsef jozsi
laszlo laci
sandor sanyi
ferenc feri
erzsebet erzsi bozsi
katalin kati kata
gyorgy gyuri
juhani jussi juha
matti masa
elisabet liisa
yohanan yoni yonatan jonathan
avraham avi
yitzhak itzik
georgi gosho
dimitar mitko
stefan stefcho
maria mimi mariyka mia
aleksandar sasa aco
petar pero
robert robbe
oleksandr sashko oles
kwame kwami`

var nicknamesOf = sync.OnceValue(func() map[string]map[string]bool { return nicknameIndex(nicknameGroups) })

// LoadNicknames builds the index of nicknames, which the first comparison otherwise does.
func LoadNicknames() { nicknamesOf() }

// areNicknames reports whether one group holds both names.
func areNicknames(a, b string) bool { return nicknamesOf()[a][b] }

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
