package personname

import (
	"strings"
	"testing"
)

// Pairs of names as they meet in practice: the submission's and the resume's.
const samePersons = `
Maya Okafor / MAYA OKAFOR
Maya Okafor / Okafor, Maya
Maya Okafor / Maya N. Okafor
Maya Okafor / Maya Ngozi Okafor
Maya Okafor / M. Okafor
Robert Smith / Bob Smith
William O'Neil / Bill ONeil
Katherine Jones / Kate Jones
Elizabeth Warner-Hale / Liz Hale
Elizabeth Hale / Beth Warner Hale
Alexander Petrov / Sasha Petrov
Margaret Thornton / Peggy Thornton
Christopher Lindqvist / Chris Lindqvist
Michael Brandt / Mike Brandt, PMP
James R. Whitfield III / Jim Whitfield
Dr. Priya Raman, PhD / Priya Raman
Anthony De Luca / Tony DeLuca
Mohammed Al-Hassan / Muhammad Alhassan
Mohamed El Sayed / Mohammad Elsayed
Abdul Rahman Khan / Abdulrahman Khan
Abdallah Mansour / Abdullah Mansour
Yousef Haddad / Yusuf Haddad
Fatima Zahra Benali / Fatima-Zahra Benali
Hussein Jaber / Hussain Jaber
Omar bin Khalid Al Saud / Omar Al Saud
Jürgen Müller / Juergen Mueller
Jürgen Müller / Jurgen Muller
Søren Østergård / Soren Ostergaard
Björn Åkesson / Bjorn Aakesson
Łukasz Wiśniewski / Lukasz Wisniewski
Małgorzata Nowak / Gosia Nowak
Katarzyna Zielińska / Kasia Zielinska
Jiří Dvořák / Jiri Dvorak
Gyula Szabó / Szabó Gyula
Zoltán Nagy / Nagy Zoltan
Екатерина Соколова / Ekaterina Sokolova
Екатерина Соколова / Yekaterina Sokolova
Дмитрий Ковалёв / Dmitry Kovalev
Дмитрий Ковалёв / Dmitrii Kovalyov
Алексей Чайковский / Alexey Tchaikovsky
Алексей Чайковский / Aleksei Chaikovskii
Юлия Щербакова / Yulia Shcherbakova
Наталья Жукова / Natalia Zhukova
Андрій Шевченко / Andriy Shevchenko
Сергей Петрович Иванов / Sergey Ivanov
Иван Петров / Петров Иван Сергеевич
Evgeny Morozov / Yevgeniy Morozov
Sergei Orlov / Sergey Orlov
Νίκος Παπαδόπουλος / Nikos Papadopoulos
Γιώργος Ιωάννου / Giorgos Ioannou
王小明 / Wang Xiaoming
Xiaoming Wang (王小明) / Wang Xiaoming
Wang Xiao-Ming / Xiaoming Wang
Li Na (Lina) Chen / Lina Chen
佐藤 美咲 / Misaki Sato
Misaki Satō / Sato Misaki
김민수 / Minsu Kim
Kim Min-soo / Minsoo Kim
Nguyễn Thị Mai Anh / Mai Anh Nguyen
Trần Văn Hùng / Hung Tran
María Fernanda de la Rosa / Maria de la Rosa
María Fernanda García López / Maria García
José Antonio Núñez / Pepe Nunez
Ana Lúcia dos Santos Pereira / Ana Pereira
João Silva / Joao Carlos da Silva
Ludwig van der Meulen Jr. / Ludwig Vandermeulen
Anna von Bülow / Anna Buelow
Jean-Baptiste Lefèvre / Jean Baptiste Lefevre
Siobhán O'Rourke-Byrne / Siobhan O Rourke
Seán Mac Giolla / Sean MacGiolla
Chidinma Eze-Nwosu / Chidinma Nwosu
Kwame Asante-Mensah / Dr Kwame Asante Mensah
Venkata Subramaniam / Subramaniam Venkata
R. Krishnamurthy / Ramesh Krishnamurthy
Priyanka Iyer / Priyanka Iyer-Menon
Sarah Connolly / Sara Connolly
Jonathan Meyer / Jon Meyer
Mary Ann Lee / Maryann Lee
Suharto / Suharto
Philip Andersson / Phillip Andersson
Sunita Sharma / SUNITA KUMARI SHARMA
Thaddeus Brook / Thaddaeus Brook`

const differentPersons = `
Maya Okafor / Viktor Halvorsen
Maya Okafor / Maya Lindqvist
Maya Okafor / Chidi Okafor
Daniel Smith / Peter Smith
Daniel Smith / Daniel Brown
John Smith / John Taylor
John Smith / Jane Smith
Samuel Green / Samantha Green
Robert Smith / Richard Smith
Robert Smith / Robert Jones
Mohammed Hassan / Mohammed Farouk
Mohammed Hassan / Ahmed Hassan
Fatima Benali / Fatima Zerouali
Ali Reza Karimi / Ali Hosseini
Abdul Rahman Khan / Abdul Aziz Siddiqui
Priya Raman / Priya Patel
Rahul Sharma / Amit Sharma
Sunita Devi / Anita Kumari
Wei Zhang / Wei Li
Wei Zhang / Min Zhang
Xiaoming Wang / Lihua Chen
王小明 / 李小龙
王小明 / 张伟
佐藤 美咲 / 田中 健
김민수 / 이지은
Misaki Sato / Kenji Tanaka
Minsu Kim / Jiyoung Park
Nguyen Van Minh / Tran Quoc Bao
Nguyễn Thị Hoa / Lê Văn Đức
Екатерина Соколова / Дмитрий Ковальчук
Екатерина Соколова / Dmitry Kovalchuk
Екатерина Соколова / Екатерина Морозова
Сергей Иванов / Sergey Petrov
Сергей Иванов / Andrey Ivanov
Νίκος Παπαδόπουλος / Maria Georgiou
Ivan Petrov / Oleg Sidorov
Anna Kowalska / Ewa Nowak
Anna Kowalska / Anna Wójcik
Jiří Dvořák / Petr Svoboda
Jürgen Müller / Klaus Schmidt
Jürgen Müller / Jürgen Hoffmann
Søren Østergård / Lars Nielsen
Björn Åkesson / Björn Lundgren
Ludwig van der Meulen / Pieter van der Berg
Anna von Bülow / Anna von Stein
Jean-Baptiste Lefèvre / Jean-Pierre Moreau
Jean Dupont / Marie Dupont
María García López / Carmen Ruiz Díaz
María García / María Hernández
José Núñez / Juan Carlos Herrera
João Silva / Pedro Silva
Ana Pereira / Beatriz Costa
Giulia Rossi / Giulia Bianchi
Luca Ferrari / Marco Ferrari
Siobhán O'Rourke / Aoife Murphy
Sean Murphy / Liam Murphy
Kwame Asante / Kofi Mensah
Chidinma Eze / Ngozi Adeyemi
Omar Haddad / Karim Mansour
Yusuf Demir / Mehmet Yılmaz
Elif Yılmaz / Elif Kaya
Thabo Nkosi / Sipho Dlamini
Sarah Connolly / Emily Watson
James Whitfield / Oliver Hart
Michael Brandt / Thomas Keller
Grace Lee / Grace Kim
Suharto / Sukarno
Hassan Ali / Ali Akbar Rezaei
Priyanka Iyer / Lakshmi Narayanan
Alex Morgan / Jordan Casey
Jamie Fraser / Jamie Sutherland
Kim Nguyen / Kim Anderson
Daniel Smith / Danielle Smith
Maria Elena Garcia / Maria Luisa Garcia
王小明 / Li Xiaolong`

// The rates are what the identity check was promised to keep: a mismatch refuses a
// candidate, a pass lets another person's resume through.
func TestPairsOfNames(t *testing.T) {
	t.Parallel()
	wrong := func(pairs string, isWrong func(Similarity) bool) (n int, bad []string) {
		for line := range strings.SplitSeq(strings.TrimSpace(pairs), "\n") {
			a, b, _ := strings.Cut(line, " / ")
			n++
			if got := Compare(a, b); isWrong(got) {
				bad = append(bad, line+" is "+string(got))
			}
		}
		return n, bad
	}
	same, refused := wrong(samePersons, func(s Similarity) bool { return s == Different })
	different, passed := wrong(differentPersons, func(s Similarity) bool { return s != Different })
	t.Logf("%d of %d same persons refused: %q", len(refused), same, refused)
	t.Logf("%d of %d different persons passed: %q", len(passed), different, passed)
	_, unsure := wrong(samePersons, func(s Similarity) bool { return s != Same })
	t.Logf("not surely the same: %q", unsure)
	if same+different < 120 {
		t.Errorf("%d pairs, want at least 120", same+different)
	}
	if rate := float64(len(refused)) / float64(same); rate > 0.03 {
		t.Errorf("%.1f %% of the same persons are refused, want at most 3 %%", 100*rate)
	}
	if rate := float64(len(passed)) / float64(different); rate > 0.05 {
		t.Errorf("%.1f %% of the different persons pass, want at most 5 %%", 100*rate)
	}
}
