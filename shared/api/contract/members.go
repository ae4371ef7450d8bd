package contract

// ListMembersRequest asks for a page of the agency's members.
type ListMembersRequest struct {
	Limit  int64   `query:"limit" check:"limit=50/100" doc:"Members per page."`
	Cursor *string `query:"cursor" check:"nullable,min=1,max=2048" doc:"The nextCursor of the previous page."`
}

// MemberList is a page of members (contract, GET /agency/members).
type MemberList struct {
	Members    []AgencyMember `json:"members" doc:"By e-mail address; a page can be short or empty before the end."`
	NextCursor *string        `json:"nextCursor" doc:"Null on the last page."`
}

// AgencyMember is a recruiter of the agency.
type AgencyMember struct {
	Name         string       `json:"name"`
	Email        string       `json:"email" doc:"Send it as recruiterEmail."`
	Role         MemberRole   `json:"role" check:"enum=memberRole" doc:"Owners may administer the agency's keys."`
	PrimaryOwner bool         `json:"primaryOwner" doc:"Whether candidates belong to this member when a submission has no recruiterEmail."`
	Status       MemberStatus `json:"status" check:"enum=memberStatus" doc:"Only an approved member is accepted as recruiterEmail."`
}
