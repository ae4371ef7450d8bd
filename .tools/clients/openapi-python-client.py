"""The main job by a client of openapi-python-client."""
import base64, os, time, uuid
from recruiting_marketplace_external_api_client import AuthenticatedClient
from recruiting_marketplace_external_api_client.api.candidates_matches_and_calls import get_crm_candidate, list_crm_candidates
from recruiting_marketplace_external_api_client.api.roles import get_role, list_roles
from recruiting_marketplace_external_api_client.api.submitting_candidates import get_batch, submit_candidate
from recruiting_marketplace_external_api_client.api.talent_network import get_preferences, put_preferences
from recruiting_marketplace_external_api_client.models import (
    FundingRound, Location, NotFoundError, ResumeFile, SubmitRequest, VisaAuthorization, WorkPreferences, WorkplaceType)

run = uuid.uuid4().hex
with open(os.environ["RESUME"], "rb") as f:
    resume = base64.b64encode(f.read()).decode()

def client(key):
    return AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ[key])

agency, recruiter = client("AGENCY_KEY"), client("RECRUITER_KEY")
preferences = WorkPreferences(
    locations=[Location.EUROPE], workplace_types=[WorkplaceType.REMOTE], salary_min=90000,
    ideal_funding_rounds=[FundingRound.SERIES_A], visa_authorization=VisaAuthorization.HAS_VISA_AUTHORIZATION)
accepted = submit_candidate.sync(client=agency, idempotency_key=run, body=SubmitRequest(
    name="Maya Okafor", email=f"maya.okafor+{run}@example.com", linkedin_url=f"https://www.linkedin.com/in/maya-okafor-{run}",
    preferences=preferences, resume=ResumeFile(file_name="maya-okafor.pdf", content_base_64=resume)))
assert accepted.accepted
item = None
for _ in range(120):
    item = get_batch.sync(accepted.batch_id, client=agency).items[0]
    if item.status not in ("queued", "processing"):
        break
    time.sleep(0.5)
assert item.status == "succeeded", item
preferences.salary_min = 95000
put_preferences.sync(item.candidate_user_id, client=agency, body=preferences)
assert get_preferences.sync(item.candidate_user_id, client=agency).preferences.salary_min == 95000
found = list_roles.sync(client=recruiter, location=[Location.EUROPE]).roles
assert get_role.sync(found[0].id, client=recruiter)
rows = list_crm_candidates.sync(client=recruiter).candidates
assert get_crm_candidate.sync(rows[0].candidate_id, client=recruiter)
assert isinstance(get_preferences.sync("cu_unknown", client=agency), NotFoundError)
