// Package identity decides when two references mean the same person. It is the one
// implementation behind dedupe, lookup, off-market marks and the resume's identity
// check, so that they can never disagree.
//
// It knows three kinds of reference:
//
//   - [LinkedIn]: a profile URL becomes https://www.linkedin.com/in/<slug>.
//   - [Email]: an address becomes its lower-cased NFC form. Plus tags and dots are
//     kept: at most providers they are different mailboxes.
//   - [CompareNames]: two names are [Same], [Uncertain] or [Different]. Names are
//     evidence, never a key.
//
// A canonical form is a fixed point: canonicalising it again changes nothing.
// The package does no I/O, so short links (lnkd.in) are not profile URLs. It
// romanises Cyrillic and Greek only: a Latin name and one in another script, such
// as Chinese or Arabic, are Uncertain.
package identity
