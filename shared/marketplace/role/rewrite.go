package role

import (
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// rewriteTexts returns a copy of v in which f has been over every text. A field is text
// unless its tag says "plain", so a new field cannot be forgotten.
func rewriteTexts[T any](v T, f func(string) string) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	rewriteValue(out, reflect.ValueOf(v), f)
	return out.Interface().(T)
}

func rewriteValue(dst, src reflect.Value, f func(string) string) {
	switch src.Kind() {
	case reflect.String:
		dst.SetString(f(src.String()))
	case reflect.Pointer:
		if !src.IsNil() {
			dst.Set(reflect.New(src.Type().Elem()))
			rewriteValue(dst.Elem(), src.Elem(), f)
		}
	case reflect.Slice:
		if !src.IsNil() {
			dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
			for i := range src.Len() {
				rewriteValue(dst.Index(i), src.Index(i), f)
			}
		}
	case reflect.Struct:
		rewriteStruct(dst, src, f)
	default:
		dst.Set(src)
	}
}

func rewriteStruct(dst, src reflect.Value, f func(string) string) {
	if src.Type() == reflect.TypeFor[contract.Time]() {
		dst.Set(src)
		return
	}
	for i := range src.NumField() {
		if _, plain := src.Type().Field(i).Tag.Lookup("plain"); plain {
			dst.Field(i).Set(src.Field(i))
			continue
		}
		rewriteValue(dst.Field(i), src.Field(i), f)
	}
}
