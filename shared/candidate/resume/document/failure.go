package document

// EncodingFailure returns the failure of text in an encoding that is not known.
func EncodingFailure() *Failure {
	return NewFailure(UnknownEncoding, "the encoding of the text cannot be told; save it as UTF-8 and send that", nil)
}

// Kind says why a file cannot be read.
type Kind string

// The kinds of failure. All are permanent: the same bytes fail again.
const (
	Empty           Kind = "empty"            // no bytes
	UnsupportedType Kind = "unsupported_type" // recognised as a type that is not accepted
	Encrypted       Kind = "encrypted"        // needs a password
	NoTextLayer     Kind = "no_text_layer"    // opens, but holds no text
	TooLarge        Kind = "too_large"        // above MaxFile
	ResourceLimit   Kind = "resource_limit"   // would take too much time or memory
	Corrupt         Kind = "corrupt"          // damaged or truncated
	UnknownEncoding Kind = "unknown_encoding" // text in an encoding that cannot be detected
)

// Failure says that a file cannot be read. Message is public and says what to send
// instead; the cause is for the log. Neither holds any of the file's text.
type Failure struct {
	Kind    Kind
	Message string
	cause   error
}

// Error returns the kind and the public message.
func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Message }

// Unwrap returns the inner cause, or nil.
func (f *Failure) Unwrap() error { return f.cause }

// NewFailure returns a failure with a public message, and a cause for the log or nil.
func NewFailure(kind Kind, message string, cause error) *Failure {
	return &Failure{Kind: kind, Message: message, cause: cause}
}

// CorruptFailure returns the failure of a damaged file.
func CorruptFailure(cause error) *Failure {
	return NewFailure(Corrupt, "the file is damaged or incomplete; export it again and send the new file", cause)
}

// LimitFailure returns the failure of a file that takes too much time or memory.
func LimitFailure(cause error) *Failure {
	return NewFailure(ResourceLimit, "the file takes too much time or memory to read; export it again as a plain PDF or DOCX", cause)
}
