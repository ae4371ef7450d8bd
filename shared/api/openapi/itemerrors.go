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
	{contract.InvalidName, "The name is over 300 characters, or has control characters.", "Correct it and submit again."},
	{contract.InvalidEmail, "This is not a valid e-mail address.", "Correct it and submit again."},
	{contract.InvalidLinkedInURL, "The URL is not the LinkedIn profile of a person. Pages of companies, schools and Sales Navigator are not accepted.", "Send the URL of the profile, https://www.linkedin.com/in/…"},
	{contract.InvalidCallLink, "screeningCallLink is not an absolute URL with an accepted scheme, or it is over 2,048 characters.", "Correct it or leave it out."},
	{contract.RecruiterNotFound, "recruiterEmail is not the address of an approved member.", "Correct it, or leave it out to attribute the candidate to the primary owner."},
	{contract.RecruiterDeactivated, "The member with recruiterEmail was deactivated.", "Name another member."},
	{contract.InvalidResumeReference, "resumeFileId names no upload of this agency and environment, or one that is over 30 days old.", "Upload the file again and submit with the new id."},

	{contract.ResumeParseFailed, "No text could be read from the file: it is damaged, encrypted, or scanned pages without text.", "Send the resume as PDF with text, DOCX, ODT, RTF, HTML or plain text."},
	{contract.ResumeIdentityMismatch, "The resume is about someone else: its name clearly differs, and it carries an e-mail address or LinkedIn URL of which none equals what was submitted.", "Check that the file belongs to the candidate. If it does, correct name, e-mail address or LinkedIn URL."},
	{contract.LinkedInProfileNotFound, "No public profile was found at the LinkedIn URL.", "Correct the URL, or ask the candidate to make the profile public."},
	{contract.LinkedInNoExperience, "The LinkedIn profile lists no experience.", "Ask the candidate to complete it, then submit again."},

	{contract.VerificationUnavailable, "The provider of profiles could not be reached until the item's time was over.", "Submit again later; nothing is wrong with the data."},
	{contract.IngestTimedOut, "Ingestion was not complete 4 hours after the submission.", "Submit again."},
	{contract.EnqueueFailed, "The item could not be queued.", "Submit it again with a new Idempotency-Key."},
	{contract.InternalError, "Five attempts failed. Nothing is wrong with the data.", "Submit again once; if it comes back, ask for help with the submissionId."},
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
	{contract.ResultFound, true, "lookups", "The memberships are in candidates."},
	{contract.ResultNotFound, false, "all", "No membership of the agency has this reference. Ids of other agencies read the same."},
	{contract.ResultOffMarket, true, "off-market", "At least one membership was taken off the market."},
	{contract.ResultAlreadyOffMarket, true, "off-market", "Nothing was left to take off."},
	{contract.ResultPreExcluded, true, "off-market", "No membership has the identity; it is kept out in future, until it is submitted afresh."},
	{contract.ResultPreExcluded, false, "re-enable", "The identity is kept out; only a fresh submission brings it in."},
	{contract.ResultOnMarket, true, "re-enable", "At least one membership is back on the market, or its eligibility was renewed."},
	{contract.ResultAlreadyOnMarket, true, "re-enable", "Nothing was to be changed."},
	{contract.ResultLocked, false, "re-enable", "The marketplace has locked the membership; the API cannot change that."},
}
