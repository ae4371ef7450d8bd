package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

const stageAccount, backupAccount = "123456789012", "210987654321"

// backupStage gives a stage an account, and another one for its backups.
func backupStage(stage map[string]any) {
	stage["account"] = stageAccount
	stage["backupAccount"] = backupAccount
}

var buildBackup = sync.OnceValues(func() (synthesized, error) {
	return synthInContext(map[string]any{"stage": "prod-us"}, backupStage)
})

// synthBackup synthesizes prod-us with backups in another account, once.
func synthBackup(t *testing.T) template {
	t.Helper()
	s, err := buildBackup()
	if err != nil {
		t.Fatal(err)
	}
	return s.templates["prod-us"]
}

// runRestore runs the drill in an account in which aws is a fake that has two recovery points. It
// returns the calls of AWS Backup.
func runRestore(t *testing.T, account, action string) (calls []string, out string) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{
		"cdk.json": `{"context": {"stages": {"prod-us":
			{"region": "us-east-1", "account": "` + stageAccount + `", "backupAccount": "` + backupAccount + `"}}}}`,
		"aws": `#!/bin/sh
case "$*" in
"sts get-caller-identity"*) echo ` + account + `; exit ;;
*list-recovery-points*)
	printf '2026-11-02\tarn:aws:dynamodb:us-east-1:1:table/rmk-prod-us-network\tpoint-new\n'
	printf '2026-11-01\tarn:aws:dynamodb:us-east-1:1:table/rmk-prod-us-network\tpoint-old\n'
	printf '2026-11-02\tarn:aws:s3:::rmk-prod-us-resumes-1\tpoint-resumes\n' ;;
*) echo job ;;
esac
echo "$*" >>calls
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, err := os.ReadFile("restore")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "restore"), script, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(filepath.Join(dir, "restore"), action, "prod-us")
	command.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH")}
	text, _ := command.CombinedOutput()
	recorded, _ := os.ReadFile(filepath.Join(dir, "calls"))
	return strings.Split(strings.TrimSpace(string(recorded)), "\n"), string(text)
}

// argument returns the value of an option of a call.
func argument(call, name string) string {
	_, after, _ := strings.Cut(call, name+" ")
	value, _, _ := strings.Cut(after, " ")
	return value
}

// backupTemplate is what the drill needs of account/backup.yaml.
type backupTemplate struct {
	Resources map[string]struct {
		Properties struct {
			RoleName          string   `yaml:"RoleName"`
			ManagedPolicyArns []string `yaml:"ManagedPolicyArns"`
			BackupVaultName   string   `yaml:"BackupVaultName"`
			KeyPolicy         struct {
				Statement []map[string]any `yaml:"Statement"`
			} `yaml:"KeyPolicy"`
		} `yaml:"Properties"`
	} `yaml:"Resources"`
}

func readBackupTemplate(t *testing.T) (tpl backupTemplate) {
	t.Helper()
	text, err := os.ReadFile("account/backup.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &tpl)
	}
	if err != nil {
		t.Fatal(err)
	}
	return tpl
}

// The drill copies the newest recovery point of each resource with the role of the account for
// backups, into the stage's vault, whose policy and whose account's keys admit that.
func TestCopiesComeBack(t *testing.T) {
	calls, out := runRestore(t, backupAccount, "copy")
	if len(calls) != 3 || !strings.Contains(out, "copies arn:aws:s3:::rmk-prod-us-resumes-1") {
		t.Fatalf("got %q\n%s", calls, out)
	}
	away := readBackupTemplate(t).Resources
	role := away["CopyRole"].Properties
	for i, point := range []string{"point-new", "point-resumes"} {
		call := calls[i+1]
		if argument(call, "--recovery-point-arn") != point {
			t.Errorf("got %s; want a copy of %s", call, point)
		}
		want := "arn:aws:iam::" + backupAccount + ":role/" + strings.ReplaceAll(role.RoleName, "${Stage}", "prod-us")
		if got := argument(call, "--iam-role-arn"); got != want {
			t.Errorf("copies as %s; the template has %s", got, want)
		}
	}
	for _, policy := range []string{"service-role/AWSBackupServiceRolePolicyForBackup", "AWSBackupServiceRolePolicyForS3Backup"} {
		if !slices.ContainsFunc(role.ManagedPolicyArns, func(arn string) bool { return strings.HasSuffix(arn, ":policy/"+policy) }) {
			t.Errorf("the role that copies lacks %s", policy)
		}
	}
	vault := synthBackup(t).findResource(t, "AWS::Backup::BackupVault", "Backups").Properties
	target := argument(calls[1], "--destination-backup-vault-arn")
	if !strings.HasSuffix(target, ":"+stageAccount+":backup-vault:"+vault["BackupVaultName"].(string)) {
		t.Errorf("copies to %s", target)
	}
	policy, _ := vault["AccessPolicy"].(map[string]any)
	if text := flatten(policy); !strings.Contains(text, "backup:CopyIntoBackupVault") || !strings.Contains(text, "::"+backupAccount+":root") {
		t.Errorf("the stage's vault admits %s", text)
	}
}

// Both keys admit the other account for what copies in that direction need, and through a service alone
// for grants.
func TestBothKeysAdmitTheOtherAccount(t *testing.T) {
	key := synthBackup(t).findResource(t, "AWS::KMS::Key", "BackupKey").Properties
	for name, statements := range map[string][]any{
		backupAccount: asArray(key["KeyPolicy"].(map[string]any)["Statement"]), "${SourceAccount}": statementsOf(readBackupTemplate(t)),
	} {
		admitted := map[string]bool{}
		for _, v := range statements {
			s := v.(map[string]any)
			if !strings.Contains(flatten(s["Principal"]), "::"+name+":root") {
				continue
			}
			for _, action := range asList(s["Action"]) {
				admitted[action] = true
				if action == "kms:CreateGrant" && !strings.Contains(flatten(s["Condition"]), "kms:GrantIsForAWSResource") {
					t.Errorf("%s may grant to anyone", name)
				}
			}
		}
		want := map[string]bool{
			"kms:CreateGrant": true, "kms:Decrypt": true, "kms:DescribeKey": true, "kms:GenerateDataKey*": true, "kms:ReEncrypt*": true,
		}
		if diff := cmp.Diff(want, admitted); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// statementsOf returns the statements of the policy of the key in account/backup.yaml.
func statementsOf(tpl backupTemplate) (all []any) {
	for _, s := range tpl.Resources["Key"].Properties.KeyPolicy.Statement {
		all = append(all, s)
	}
	return all
}

// The drill restores tables under new names and resumes into the stage's bucket, with a role that the
// stage has and that may restore both. In the wrong account it does nothing.
func TestRestoresHaveARole(t *testing.T) {
	calls, out := runRestore(t, stageAccount, "start")
	if len(calls) != 3 || !strings.Contains(out, `"restored": { "network": "rmk-prod-us-network-restored" }`) {
		t.Fatalf("got %q\n%s", calls, out)
	}
	tpl := synthService(t)
	role := tpl.findResource(t, "AWS::IAM::Role", "RestoreRole").Properties
	policies := flatten(role["ManagedPolicyArns"])
	for _, policy := range []string{"service-role/AWSBackupServiceRolePolicyForRestores", "AWSBackupServiceRolePolicyForS3Restore"} {
		if !strings.Contains(policies, policy) {
			t.Errorf("the role for restores has %s; want %s", policies, policy)
		}
	}
	for _, call := range calls[1:] {
		if got, want := argument(call, "--iam-role-arn"), "arn:aws:iam::"+stageAccount+":role/"+role["RoleName"].(string); got != want {
			t.Errorf("restores as %s; the stage has %s", got, want)
		}
	}
	name := flatten(tpl.findResource(t, "AWS::S3::Bucket", "ResumesBucket").Properties["BucketName"])
	bucket := regexp.MustCompile(`\$\{[^}]*\}`).ReplaceAllString(name, stageAccount)
	if !strings.Contains(calls[2], "DestinationBucketName="+bucket+",") {
		t.Errorf("got %s; want the bucket %s", calls[2], bucket)
	}
	for action, account := range map[string]string{"start": backupAccount, "copy": stageAccount} {
		if calls, out := runRestore(t, account, action); !strings.Contains(out, "refused") || calls[0] != "" {
			t.Errorf("%s in %s: got %q\n%s", action, account, calls, out)
		}
	}
}

// A failed backup or copy is a ticket, and so is a day without a copy in the other account.
func TestMissingBackupsAreNoticed(t *testing.T) {
	tpl := synthBackup(t)
	failures := tpl.findResource(t, "AWS::Events::Rule", "BackupFailures").Properties
	pattern := flatten(failures["EventPattern"])
	for _, want := range []string{
		`"aws.backup"`, `"Backup Job State Change"`, `"Copy Job State Change"`, `"FAILED"`, `"ABORTED"`, `"EXPIRED"`, `"PARTIAL"`,
	} {
		if !strings.Contains(pattern, want) {
			t.Errorf("%s is not among %s", want, pattern)
		}
	}
	if targets := flatten(failures["Targets"]); !strings.Contains(targets, "Tickets") {
		t.Errorf("failures go to %s", targets)
	}
	copies := tpl.findResource(t, "AWS::Events::Rule", "BackupCopies").Properties
	counted := flatten(copies["EventPattern"])
	if !strings.Contains(counted, ":"+backupAccount+":backup-vault:rmk-prod-us") || !strings.Contains(counted, `"COMPLETED"`) {
		t.Errorf("copies are %s", counted)
	}
	alarm := tpl.findResource(t, "AWS::CloudWatch::Alarm", "BackupCopiesAlarm").Properties
	isNamed := strings.Contains(flatten(alarm["Dimensions"]), copies["Name"].(string))
	if alarm["EvaluationPeriods"] != 26.0 || alarm["Period"] != 3600.0 || !isNamed {
		t.Errorf("got %v", alarm)
	}
}
