// The main job by openapi-fetch with types of openapi-typescript.
import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const client = (key: string) =>
  createClient<paths>({ baseUrl: process.env.BASE_URL, headers: { Authorization: `Bearer ${process.env[key]}` } });
const agency = client("AGENCY_KEY");
const recruiter = client("RECRUITER_KEY");
const run = randomUUID();

const preferences: components["schemas"]["WorkPreferences"] = {
  locations: ["europe"], workplaceTypes: ["REMOTE"], salaryMin: 90000,
  idealFundingRounds: ["SERIES_A"], visaAuthorization: "HAS_VISA_AUTHORIZATION",
};
const must = <T>(result: { data?: T; error?: { error: { message: string } } }): T => {
  if (result.data === undefined) throw new Error(result.error?.error.message ?? "no data");
  return result.data;
};

const accepted = must(await agency.POST("/talent-network/candidates/submit", {
  params: { header: { "Idempotency-Key": run } },
  body: {
    name: "Maya Okafor", email: `maya.okafor+${run}@example.com`, linkedinUrl: `https://www.linkedin.com/in/maya-okafor-${run}`,
    preferences, resume: { fileName: "maya-okafor.pdf", contentBase64: readFileSync(process.env.RESUME ?? "").toString("base64") },
  },
}));
let item: components["schemas"]["BatchItem"] | undefined;
for (let i = 0; i < 120; i++) {
  item = must(await agency.GET("/talent-network/batches/{batchId}", { params: { path: { batchId: accepted.batchId } } })).items[0];
  if (item?.status !== "queued" && item?.status !== "processing") break;
  await new Promise((resolve) => setTimeout(resolve, 500));
}
if (item?.status !== "succeeded" || !item.candidateUserId) throw new Error(JSON.stringify(item));
const of = { params: { path: { candidateUserId: item.candidateUserId } } };
must(await agency.PUT("/talent-network/candidates/{candidateUserId}/preferences", { ...of, body: { ...preferences, salaryMin: 95000 } }));
const stored = must(await agency.GET("/talent-network/candidates/{candidateUserId}/preferences", of));
if (stored.preferences?.salaryMin !== 95000) throw new Error(JSON.stringify(stored));
must(await agency.PUT("/talent-network/candidates/{candidateUserId}/preferences", { ...of, body: stored.preferences }));
const roleId = must(await recruiter.GET("/recruiter/roles", { params: { query: { location: ["europe"] } } })).roles[0]?.id;
must(await recruiter.GET("/recruiter/roles/{roleId}", { params: { path: { roleId: roleId ?? "" } } }));
const row = must(await recruiter.GET("/recruiter/candidates")).candidates[0];
must(await recruiter.GET("/recruiter/candidates/{candidateId}", { params: { path: { candidateId: row?.candidateId ?? "" } } }));
const missing = await agency.GET("/talent-network/candidates/{candidateUserId}/preferences", { params: { path: { candidateUserId: "cu_unknown" } } });
if (missing.error?.error.type !== "not_found") throw new Error(JSON.stringify(missing.error));
