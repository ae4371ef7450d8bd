package profile_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

func ExampleSandbox() {
	var sandbox profile.Sandbox
	ctx := context.Background()
	found, err := sandbox.Profile(ctx, "maya-lind-81")
	fmt.Println(found.Title, err)
	_, err = sandbox.Profile(ctx, profile.SlugNoExperience)
	fmt.Println(errors.Is(err, profile.ErrNoExperience))
	// Output:
	// Product Manager <nil>
	// true
}
