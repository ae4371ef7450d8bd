// Package restore does what is left to do after a table or a bucket was restored to an earlier
// time: it applies the erasures since then again, and finds references to something that is not
// there. It works on any system, local or deployed, with its names in the host's environment.
package restore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// maxErasure is more than any archived event has: the limit of a message.
const maxErasure = 1 << 20

// Apply is the method of the feed that applies an event. A non-empty refused is the reason why it never can be applied.
type Apply func(ctx context.Context, event string) (refused string, err error)

// archivedBefore is how long before the last deletion of an erasure its archive may have been written: the feed archives it first,
// and a run takes up to a minute. The rest is a margin for clocks that differ, and times of objects have whole seconds.
const archivedBefore = 15 * time.Minute

// ReplayErasures applies the archived erasures that were not finished before since, the time of the restored state: those that
// arrived at or after it, or shortly before, oldest first. It returns their number. apply is that of the feed: an erasure that is
// repeated removes what the restored table has of the person, and keeps what was submitted after it.
func ReplayErasures(ctx context.Context, h cloud.Host, since time.Time, apply Apply) (int, error) {
	o := h.Opener()
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	if err := o.Err(); err != nil {
		return 0, err
	}
	objects, err := listObjects(ctx, h, topology.MarketplaceBucket, topology.ErasuresPrefix)
	if err != nil {
		return 0, fmt.Errorf("list the erasures: %w", err)
	}
	begin := since.Add(-archivedBefore)
	objects = slices.DeleteFunc(objects, func(o types.Object) bool { // one without a time stays: repeating an erasure does no harm
		return o.LastModified != nil && o.LastModified.Before(begin)
	})
	slices.SortFunc(objects, func(a, b types.Object) int {
		return aws.ToTime(a.LastModified).Compare(aws.ToTime(b.LastModified))
	})
	for i, o := range objects {
		key := aws.ToString(o.Key)
		event, err := bucket.Get(ctx, key, maxErasure)
		refused := ""
		if err == nil {
			refused, err = apply(ctx, string(event))
		}
		if err != nil {
			return i, fmt.Errorf("%s: %w", key, err)
		}
		if refused != "" {
			return i, fmt.Errorf("%s was refused: %s", key, refused)
		}
	}
	return len(objects), nil
}

func listObjects(ctx context.Context, h cloud.Host, of topology.Bucket, prefix string) (all []types.Object, err error) {
	in := &s3.ListObjectsV2Input{Bucket: aws.String(h.Getenv(of.Env)), Prefix: &prefix}
	pages := s3.NewListObjectsV2Paginator(objectstore.NewClient(h), in)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Contents...)
	}
	return all, nil
}

// Orphans are what refers to something that is not there, by id or key, and files to which
// nothing leads: the tables were restored to different times, or a bucket has newer objects.
type Orphans struct {
	MembershipsWithoutFile []string // lack their resume; such a candidate has to be submitted again
	FilesWithoutMembership []string // resumes of no membership and no submission; to be deleted, since no erasure would find them
	SubmissionsWithoutFile []string // are live, and will fail for lack of their upload
}

// settling is how long an ingestion may take from storing a file to storing what refers to it, and clocks may differ.
const settling = 10 * time.Minute

// Count returns how many orphans there are.
func (o Orphans) Count() int {
	return len(o.MembershipsWithoutFile) + len(o.FilesWithoutMembership) + len(o.SubmissionsWithoutFile)
}

// references has the keys of the resumes and uploads to which items lead, with the id of the
// membership or in-flight submission; "" for files about to be deleted.
type references map[string]string

type item struct {
	PK        string   `dynamo:"pk"`
	SK        string   `dynamo:"sk"`
	ResumeKey string   `dynamo:"resumeKey"`
	Payload   []byte   `dynamo:"payload"`
	Files     []string `dynamo:"keys"`
}

// FindOrphans compares the tables network and submissions with each other and with the bucket of
// resumes. It reads both tables whole. Files that were stored shortly before now, or since, are left out: what refers to
// them may have been stored after its table was read. A file without a time counts as old.
func FindOrphans(ctx context.Context, h cloud.Host, now time.Time) (o Orphans, err error) {
	settled := now.Add(-settling)
	r := references{}
	for _, t := range []topology.Table{topology.Network, topology.Submissions} {
		if err := r.readTable(ctx, h, t); err != nil {
			return o, err
		}
	}
	stored := map[string]bool{}
	objects, err := listObjects(ctx, h, topology.Resumes, "")
	if err != nil {
		return o, fmt.Errorf("list the resumes: %w", err)
	}
	for _, file := range objects {
		key := aws.ToString(file.Key)
		stored[key] = true
		_, known := r[key]
		if !known && isResume(key) && aws.ToTime(file.LastModified).Before(settled) {
			o.FilesWithoutMembership = append(o.FilesWithoutMembership, key)
		}
	}
	for key, owner := range r {
		switch {
		case stored[key] || owner == "":
		case isResume(key):
			o.MembershipsWithoutFile = append(o.MembershipsWithoutFile, owner)
		default:
			o.SubmissionsWithoutFile = append(o.SubmissionsWithoutFile, owner)
		}
	}
	for _, list := range [][]string{o.MembershipsWithoutFile, o.FilesWithoutMembership, o.SubmissionsWithoutFile} {
		slices.Sort(list)
	}
	return o, nil
}

// isResume reports whether an object is a membership's resume. Uploads expire without a reference.
func isResume(key string) bool { return strings.HasPrefix(key, "resumes/") }

func (r references) readTable(ctx context.Context, h cloud.Host, of topology.Table) error {
	o := h.Opener()
	table := o.Table(of)
	if err := o.Err(); err != nil {
		return err
	}
	items := table.Scan().Consistent(true).Iter()
	for {
		var i item
		if !items.Next(ctx, &i) {
			return items.Err()
		}
		switch {
		case itemkey.Membership.Has(i.PK, i.SK):
			id, _ := itemkey.Membership.Parse(i.PK, i.SK)
			if i.ResumeKey != "" {
				r[i.ResumeKey] = id[0]
			}
		case itemkey.InFlightItem.Has(i.PK, i.SK):
			var sub submission.Submission
			if err := json.Unmarshal(i.Payload, &sub); err != nil {
				return fmt.Errorf("decode an in-flight item: %w", err)
			}
			r[sub.ResumeKey] = sub.ID.String()
			r.addUnclaimed(sub.CopyKey())
		case itemkey.Disposal.Has(i.PK, i.SK):
			r.addUnclaimed(i.Files...)
		}
	}
}

// addUnclaimed adds files that may be there and need not be.
func (r references) addUnclaimed(keys ...string) {
	for _, key := range keys {
		if _, known := r[key]; !known {
			r[key] = ""
		}
	}
}
