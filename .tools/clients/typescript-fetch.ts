// The main job by a client of openapi-generator (typescript-fetch).
import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import * as api from "./api/index";

const configured = (key: string) => new api.Configuration({ basePath: process.env.BASE_URL, accessToken: process.env[key] });
const agency = configured("AGENCY_KEY");
const recruiter = configured("RECRUITER_KEY");
const run = randomUUID();

async function main(): Promise<void> {
  const preferences: api.WorkPreferences = {
    locations: [api.Location.Europe], workplaceTypes: [api.WorkplaceType.Remote], salaryMin: 90000,
    idealFundingRounds: [api.FundingRound.SeriesA], visaAuthorization: api.VisaAuthorization.HasVisaAuthorization,
  };
  const submitting = new api.SubmittingCandidatesApi(agency);
  const accepted = await submitting.submitCandidate({
    idempotencyKey: run,
    submitRequest: {
      name: "Maya Okafor", email: `maya.okafor+${run}@example.com`, linkedinUrl: `https://www.linkedin.com/in/maya-okafor-${run}`,
      preferences, resume: { fileName: "maya-okafor.pdf", contentBase64: readFileSync(process.env.RESUME ?? "").toString("base64") },
    },
  });
  let item: api.BatchItem | undefined;
  for (let i = 0; i < 120; i++) {
    item = (await submitting.getBatch({ batchId: accepted.batchId })).items[0];
    if (item?.status !== "queued" && item?.status !== "processing") break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  if (item?.status !== "succeeded" || !item.candidateUserId) throw new Error(JSON.stringify(item));
  const candidateUserId = item.candidateUserId;
  const network = new api.TalentNetworkApi(agency);
  await network.putPreferences({ candidateUserId, putPreferencesRequest: { ...preferences, salaryMin: 95000 } });
  const stored = await network.getPreferences({ candidateUserId });
  if (stored.preferences?.salaryMin !== 95000) throw new Error(JSON.stringify(stored));
  await network.putPreferences({ candidateUserId, putPreferencesRequest: stored.preferences });
  const roles = new api.RolesApi(recruiter);
  const found = (await roles.listRoles({ location: [api.Location.Europe] })).roles[0];
  await roles.getRole({ roleId: found?.id ?? "" });
  const crm = new api.CandidatesMatchesAndCallsApi(recruiter);
  const row = (await crm.listCRMCandidates()).candidates[0];
  await crm.getCRMCandidate({ candidateId: row?.candidateId ?? "" });
  const status = await network.getPreferences({ candidateUserId: "cu_unknown" }).then(() => 200, (e: api.ResponseError) => e.response.status);
  if (status !== 404) throw new Error(`an unknown candidate is ${status}`);
}
main().catch((e: unknown) => { console.error(e); process.exit(1); });
