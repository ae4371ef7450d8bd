package resume

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
)

// Texts of languages in the encodings that old editors save them in.
var oldTexts = []struct {
	encodings []encoding.Encoding
	text      string
}{
	{[]encoding.Encoding{charmap.Windows1250, charmap.ISO8859_2}, "Życiorys zawodowy\nMałgorzata Wiśniewska\nDoświadczenie zawodowe: księgowa, Łódź, od października 2019 do dziś\nWykształcenie wyższe, język polski"},
	{[]encoding.Encoding{charmap.Windows1251, charmap.KOI8R, charmap.CodePage866, charmap.ISO8859_5}, "Екатерина Соколова\nОпыт работы: главный бухгалтер, Москва, с октября 2019 года\nОбразование: Московский государственный университет"},
	{[]encoding.Encoding{charmap.Windows1251, charmap.KOI8U}, "Юлія Щербина\nДосвід роботи: інженер, Київ, з жовтня 2019 року\nОсвіта: Національний університет, українська мова"},
	{[]encoding.Encoding{charmap.Windows1252}, "José Núñez\nExperiencia laboral: técnico en administración, Málaga, desde octubre de 2019\nEducación: Universidad de Córdoba, español"},
	{[]encoding.Encoding{charmap.Windows1253}, "Γιώργος Παπαδόπουλος\nΕπαγγελματική εμπειρία: μηχανικός, Αθήνα, από Οκτώβριο 2019\nΕκπαίδευση: Πανεπιστήμιο"},
	{[]encoding.Encoding{charmap.Windows1254}, "Ayşe Yılmaz\nİş deneyimi: yazılım mühendisi, İstanbul, Ağustos 2019 - günümüz\nEğitim: Boğaziçi Üniversitesi, Türkçe"},
	{[]encoding.Encoding{charmap.Windows1255}, "דוד כהן\nניסיון תעסוקתי: מנהל פיתוח, תל אביב, מאז אוקטובר\nהשכלה: האוניברסיטה העברית, ירושלים"},
	{[]encoding.Encoding{charmap.Windows1256}, "ليلى المنصوري\nالخبرة العملية: مهندسة برمجيات، دبي، منذ أكتوبر\nالتعليم: جامعة القاهرة، اللغة العربية"},
	{[]encoding.Encoding{charmap.Windows1257}, "Živilė Žukauskaitė\nDarbo patirtis: vyriausioji buhalterė, Šiauliai, nuo rugsėjo mėnesio\nIšsilavinimas: Vilniaus universitetas, lietuvių kalba"},
	{[]encoding.Encoding{simplifiedchinese.GBK, simplifiedchinese.GB18030, traditionalchinese.Big5}, "王小明\n工作: 上海工程部 2019年10月\n大学: 北京大学"},
	{[]encoding.Encoding{simplifiedchinese.GBK, simplifiedchinese.GB18030}, "王小明\n工作经历: 上海软件工程师, 2019年10月至今\n教育背景: 北京大学, 计算机科学, 中文"},
	{[]encoding.Encoding{traditionalchinese.Big5}, "王小明\n工作經歷: 台北軟體工程師, 2019年10月至今\n學歷: 國立台灣大學, 電腦科學, 中文"},
	{[]encoding.Encoding{japanese.ShiftJIS, japanese.EUCJP}, "佐藤 美咲\n職務経歴: 東京のソフトウェアエンジニア, 2019年10月から現在\n学歴: 東京大学, 日本語"},
	{[]encoding.Encoding{korean.EUCKR}, "김민수\n경력: 서울 소프트웨어 개발자, 2019년 10월부터 현재까지\n학력: 서울대학교, 한국어"},
}

var unmarked = []encoding.Encoding{unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}

// What nothing tells is detected, or refused: it is never other text.
func TestOldEncodingsAreDetected(t *testing.T) {
	t.Parallel()
	for _, tt := range oldTexts {
		for _, e := range append(tt.encodings, unmarked...) {
			content, err := e.NewEncoder().Bytes([]byte(tt.text))
			if err != nil {
				continue // a character that this encoding lacks
			}
			doc, err := Read(t.Context(), content)
			if err != nil {
				t.Errorf("%v: %.30q: %v", e, tt.text, err)
				continue
			}
			if got := strings.Join(doc.Blocks[0], "\n"); got != tt.text {
				t.Errorf("%v: %q, want %q", e, got, tt.text)
			}
		}
	}
}

func TestPagesTellTheirEncoding(t *testing.T) {
	t.Parallel()
	for _, head := range []string{`<meta charset="windows-1250">`, `<META http-equiv=Content-Type content='text/html; charset=cp1250'>`} {
		page, err := charmap.Windows1250.NewEncoder().String("<html><head>" + head + "</head><body><p>Jiří Šťastný</p></body></html>")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Read(t.Context(), []byte(page))
		if err != nil || doc.Blocks[0][0] != "Jiří Šťastný" {
			t.Errorf("%s: %q, %v", head, doc.Blocks, err)
		}
	}
}

// x-user-defined is a name of the standard whose letters are private characters.
func TestAnEncodingWithoutLettersIsDetected(t *testing.T) {
	t.Parallel()
	const text = "Опыт работы: главный бухгалтер, Москва, с октября 2019 года. Образование: Московский университет, русский язык"
	page, err := charmap.Windows1251.NewEncoder().String(`<html><head><meta charset="x-user-defined"></head><body><p>` + text + "</p></body></html>")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Read(t.Context(), []byte(page))
	if err != nil || doc.Blocks[0][0] != text {
		t.Errorf("got %q, %v", doc.Blocks, err)
	}
}

func TestFontsOfRTFTellTheirEncoding(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		`{\rtf1\ansi\ansicpg936 \'cd\'f5\'d0\'a1\'c3\'f7}`: "王小明",
		`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Mincho;}}\f1\'c8\'e2\'e0\'ed{\f2 \'8d\'b2\'93\'a1}\f0  caf\'e9}`: "Иван佐藤 café",
	} {
		doc, err := Read(t.Context(), []byte(content))
		if err != nil || doc.Blocks[0][0] != want {
			t.Errorf("%s: %q, %v, want %q", content, doc.Blocks, err, want)
		}
	}
}

func TestTextOfAnUnknownEncodingIsRefused(t *testing.T) {
	t.Parallel()
	_, err := Read(t.Context(), []byte("Maya Okafor \xb1\xe7\xf3\x9d\xa4\xd6\xb8\xfe\xc9\xaf\xe0\x90\x81 \x8d\x81\xff\xfe\xa0\xff"))
	var failure *document.Failure
	if !errors.As(err, &failure) || failure.Kind != document.UnknownEncoding {
		t.Errorf("got %v, want a failure of kind %s", err, document.UnknownEncoding)
	}
}
