package heading

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

func TestHeadingsOfManyLanguages(t *testing.T) {
	t.Parallel()
	for want, lines := range map[words.Section]string{
		words.ExperienceSection: "Berufspraxis|Parcours professionnel|Trayectoria profesional|Percurso profissional|Esperienze lavorative|Loopbaan|Yrkeserfarenhet|Arbejdserfaring|Työkokemus|Przebieg kariery|Pracovní zkušenosti|Pracovné skúsenosti|Szakmai tapasztalat|Experiență profesională|Професионален опит|Επαγγελματική εμπειρία|İŞ DENEYİMİ|Трудовий досвід|Трудовая деятельность|Radno iskustvo|Töökogemus|Darbo patirtis|工作经历|職務経歴|경력사항|Kinh nghiệm làm việc|ประสบการณ์ทำงาน|الخبرة العملية|ניסיון תעסוקתי|कार्य अनुभव|कार्यअनुभव|Pengalaman kerja|WHERE I’VE WORKED|職 歴|Career Roles",
		words.EducationSection:  "Bildungsweg|Études|Estudios|Formação acadêmica|Istruzione e formazione|Opleidingen|Utbildning|Uddannelse|Koulutus|Wykształcenie|Vzdělání|Tanulmányok|Studii|Образование|Σπουδές|Eğitim|Освіта|学历|学歴|학력|Học vấn|التعليم|השכלה|शिक्षा|Onderwijs en cursussen|University Studies|Academic Schooling|学 歴",
	} {
		for line := range strings.SplitSeq(lines, "|") {
			if got, ok := Parse(line); !ok || got != want {
				t.Errorf("%q heads %q, want %s", line, got, want)
			}
		}
	}
}
