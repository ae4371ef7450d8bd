"""The main job by a client of openapi-generator (python)."""
import base64, os, sys, time, uuid
import openapi_client as api

run = uuid.uuid4().hex
with open(os.environ["RESUME"], "rb") as f:
    resume = base64.b64encode(f.read()).decode()

def client(key):
    return api.ApiClient(api.Configuration(host=os.environ["BASE_URL"], access_token=os.environ[key]))

agency, recruiter = client("AGENCY_KEY"), client("RECRUITER_KEY")
preferences = api.WorkPreferences(
    locations=[api.Location.EUROPE], workplace_types=[api.WorkplaceType.REMOTE], salary_min=90000,
    ideal_funding_rounds=[api.FundingRound.SERIES_A], visa_authorization=api.VisaAuthorization.HAS_VISA_AUTHORIZATION)
submitting = api.SubmittingCandidatesApi(agency)
accepted = submitting.submit_candidate(api.SubmitRequest(
    name="Maya Okafor", email=f"maya.okafor+{run}@example.com", linkedin_url=f"https://www.linkedin.com/in/maya-okafor-{run}",
    preferences=preferences, resume=api.ResumeFile(file_name="maya-okafor.pdf", content_base64=resume)), idempotency_key=run)
assert accepted.accepted
item = None
for _ in range(120):
    item = submitting.get_batch(accepted.batch_id).items[0]
    if item.status not in ("queued", "processing"):
        break
    time.sleep(0.5)
assert item.status == "succeeded", item
network = api.TalentNetworkApi(agency)
preferences.salary_min = 95000
network.put_preferences(item.candidate_user_id, api.PutPreferencesRequest(preferences))
assert network.get_preferences(item.candidate_user_id).preferences.salary_min == 95000
roles = api.RolesApi(recruiter)
found = roles.list_roles(location=[api.Location.EUROPE]).roles
assert roles.get_role(found[0].id)
crm = api.CandidatesMatchesAndCallsApi(recruiter)
rows = crm.list_crm_candidates().candidates
assert crm.get_crm_candidate(rows[0].candidate_id)
try:
    network.get_preferences("cu_unknown")
    sys.exit("an unknown candidate was found")
except api.ApiException as e:
    assert e.status == 404
