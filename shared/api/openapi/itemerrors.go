package openapi

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

// ItemError is an error code of a batch item, or of a rejected bulk item, with why it comes and
// what the caller can do.
type ItemError struct {
	Code          contract.SubmissionError
	Cause, Advice string
}

// ItemErrors holds every published one: what is wrong with the data first, then what ingestion
// finds, then what is no fault of the caller.
var ItemErrors = []ItemError{
	{contract.InvalidName, "The name has more than 300 characters, or contains control characters.", "Correct it and submit again."},
	{contract.InvalidEmail, "This is not a valid e-mail address.", "Correct it and submit again."},
	{contract.InvalidLinkedInURL,
		"The URL is not a personal LinkedIn profile. Company, school and Sales Navigator pages are not accepted.",
		"Send the URL of the profile, https://www.linkedin.com/in/…"},
	{contract.InvalidCallLink,
		"screeningCallLink is not an absolute URL with an accepted scheme, or it has more than 2,048 characters.",
		"Correct it or leave it out."},
	{contract.RecruiterNotFound,
		"recruiterEmail is not the address of an approved member.",
		"Correct it, or leave it out to attribute the candidate to the primary owner."},
	{contract.RecruiterDeactivated, "recruiterEmail belongs to a deactivated member; without recruiterEmail, the primary owner is deactivated.", "Use an active member."},
	{contract.InvalidResumeReference,
		"resumeFileId is unknown in this agency and environment, or its upload is over 30 days old.",
		"Upload the file again and submit with the new id."},

	{contract.ResumeParseFailed,
		"No text could be read from the file: it is damaged, encrypted, or scanned pages without text.",
		"Send the resume as PDF with text, DOCX, ODT, RTF, HTML, plain text or Markdown."},
	{contract.ResumeIdentityMismatch,
		"The resume belongs to someone else: its name clearly differs, and none of its e-mail addresses and LinkedIn URLs were submitted.",
		"Check that the file belongs to the candidate. If so, correct the name, e-mail address or LinkedIn URL."},
	{contract.LinkedInProfileNotFound,
		"No public profile was found at the LinkedIn URL.",
		"Correct the URL, or ask the candidate to make the profile public."},
	{contract.LinkedInNoExperience, "The LinkedIn profile lists no experience.", "Ask the candidate to complete it, then submit again."},

	{contract.VerificationUnavailable,
		"The profile provider could not be reached before the item timed out.",
		"Submit again later; the data is not at fault."},
	{contract.IngestTimedOut,
		"Ingestion was not complete in time: 4 hours after the submission, or after it last waited for the profile provider.",
		"Submit again."},
	{contract.EnqueueFailed, "The item could not be queued.", "Submit it again with a new Idempotency-Key."},
	{contract.InternalError,
		"Five attempts failed. The data is not at fault.",
		"Submit again once; if it fails again, contact support with the submissionId."},
}

// ResultStatus is an outcome for a reference and what it means.
type ResultStatus struct {
	Status contract.ResultStatus
	OK     bool
	// Of names the endpoints that give the status so.
	Of, Meaning string
}

// ResultStatuses holds every outcome (contract, Reference results).
var ResultStatuses = []ResultStatus{
	{contract.ResultFound, true, "lookups", "candidates lists the memberships."},
	{contract.ResultNotFound, false, "all", "No membership of the agency matches the reference, or it belongs to another agency."},
	{contract.ResultOffMarket, true, "off-market", "At least one membership was taken off the market."},
	{contract.ResultAlreadyOffMarket, true, "off-market", "Every membership was already off the market."},
	{contract.ResultPreExcluded, true, "off-market", "No membership has the identity; it is excluded until it is submitted again."},
	{contract.ResultPreExcluded, false, "re-enable", "The identity is excluded; only a new submission restores it."},
	{contract.ResultOnMarket, true, "re-enable", "At least one membership is back on the market, or its eligibility was renewed."},
	{contract.ResultAlreadyOnMarket, true, "re-enable", "Every membership was already on the market."},
	{contract.ResultLocked, false, "re-enable", "The marketplace locked the membership; the API cannot unlock it."},
}
