package apikey_test

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
)

func TestGenerateIsAFunctionOfItsRandomness(t *testing.T) {
	t.Parallel()
	zeros := bytes.Repeat([]byte{0}, 30)
	for name, random := range map[string][]byte{
		"zeros":                 zeros,
		"biased bytes are left": append(bytes.Repeat([]byte{248, 255}, 50), zeros...),
	} {
		key, err := apikey.Generate(bytes.NewReader(random), "live")
		// The CRC-32 of rmk_live_ and thirty zeros, 0xedde28f1, in base62.
		if want := "rmk_live_" + strings.Repeat("0", 30) + "4M4otN"; key != want || err != nil {
			t.Errorf("%s: got %q, %v; want %q", name, key, err, want)
		}
	}
}

func TestGeneratedKeyIsRecognised(t *testing.T) {
	t.Parallel()
	shape := regexp.MustCompile(`^rmk_test_[0-9A-Za-z]{36}$`)
	for range 200 {
		key := newKey(t, "test")
		environment, ok := apikey.Environment(key)
		if !shape.MatchString(key) || !ok || environment != "test" {
			t.Errorf("%q: environment %q, %v", key, environment, ok)
		}
	}
}

func TestGenerateFails(t *testing.T) {
	t.Parallel()
	for _, environment := range []string{"", "x", "Live", "live1", "thirteenchars", "li_ve"} {
		if key, err := apikey.Generate(bytes.NewReader(make([]byte, 99)), environment); !errors.Is(err, apikey.ErrEnvironment) || key != "" {
			t.Errorf("environment %q: got %q, %v; want ErrEnvironment", environment, key, err)
		}
	}
	for _, random := range []io.Reader{iotest.ErrReader(io.ErrClosedPipe), bytes.NewReader(make([]byte, 29))} {
		if key, err := apikey.Generate(random, "live"); err == nil || key != "" {
			t.Errorf("without randomness: got %q, %v; want an error", key, err)
		}
	}
}

// TestOneWrongCharacterIsNoticed: a CRC notices any single one.
func TestOneWrongCharacterIsNoticed(t *testing.T) {
	t.Parallel()
	key := newKey(t, "live")
	for i := range key {
		for _, c := range "0aZ_-é" {
			wrong := key[:i] + string(c) + key[i+1:]
			if _, ok := apikey.Environment(wrong); ok && wrong != key {
				t.Errorf("took %q for %q", wrong, key)
			}
		}
	}
}

func FuzzEnvironment(f *testing.F) {
	f.Add("rmk_live_0000000000000000000000000000004M4otN")
	f.Add("rmk_live_")
	f.Add("rmk__")
	f.Add("rmk_live_0000000000_0000000000000000000000000")
	f.Add("rmk_\xff\xfe_\x00")
	shape := regexp.MustCompile(`^rmk_([a-z]{2,12})_[0-9A-Za-z]{36}$`)
	f.Fuzz(func(t *testing.T, key string) {
		environment, ok := apikey.Environment(key)
		if !ok {
			if environment != "" {
				t.Errorf("%q is no key but has the environment %q", key, environment)
			}
			return
		}
		match := shape.FindStringSubmatch(key)
		if match == nil || match[1] != environment {
			t.Fatalf("took %q for a key of %q", key, environment)
		}
		swapped := key[:len(key)-1] + "0"
		if _, ok := apikey.Environment(swapped); ok && swapped != key {
			t.Errorf("both %q and %q have a right checksum", key, swapped)
		}
	})
}
