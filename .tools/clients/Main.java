// The main job by a client of openapi-generator (java).
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CandidatesMatchesAndCallsApi;
import org.openapitools.client.api.RolesApi;
import org.openapitools.client.api.SubmittingCandidatesApi;
import org.openapitools.client.api.TalentNetworkApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.BatchItem;
import org.openapitools.client.model.FundingRound;
import org.openapitools.client.model.Location;
import org.openapitools.client.model.PutPreferencesRequest;
import org.openapitools.client.model.ResumeFile;
import org.openapitools.client.model.SubmitRequest;
import org.openapitools.client.model.VisaAuthorization;
import org.openapitools.client.model.WorkPreferences;
import org.openapitools.client.model.WorkplaceType;

public class Main {
  static ApiClient client(String scheme, String key) {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    ((HttpBearerAuth) client.getAuthentication(scheme)).setBearerToken(System.getenv(key));
    return client;
  }

  static void check(boolean holds, Object what) {
    if (!holds) throw new IllegalStateException(String.valueOf(what));
  }

  public static void main(String[] args) throws Exception {
    String run = UUID.randomUUID().toString();
    String resume = Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(System.getenv("RESUME"))));
    WorkPreferences preferences = new WorkPreferences()
        .locations(List.of(Location.EUROPE)).workplaceTypes(List.of(WorkplaceType.REMOTE)).salaryMin(90000L)
        .idealFundingRounds(List.of(FundingRound.SERIES_A)).visaAuthorization(VisaAuthorization.HAS_VISA_AUTHORIZATION);
    ApiClient agency = client("agencyKey", "AGENCY_KEY");
    ApiClient recruiter = client("personalKey", "RECRUITER_KEY");
    SubmittingCandidatesApi submitting = new SubmittingCandidatesApi(agency);
    var accepted = submitting.submitCandidate(new SubmitRequest()
        .name("Maya Okafor").email("maya.okafor+" + run + "@example.com")
        .linkedinUrl(java.net.URI.create("https://www.linkedin.com/in/maya-okafor-" + run)).preferences(preferences)
        .resume(new ResumeFile().fileName("maya-okafor.pdf").contentBase64(resume)), run);
    BatchItem item = null;
    for (int i = 0; i < 120; i++) {
      item = submitting.getBatch(accepted.getBatchId()).getItems().get(0);
      if (!List.of("queued", "processing").contains(item.getStatus())) break;
      Thread.sleep(500);
    }
    check("succeeded".equals(item.getStatus()), item);
    TalentNetworkApi network = new TalentNetworkApi(agency);
    network.putPreferences(item.getCandidateUserId(), new PutPreferencesRequest(preferences.salaryMin(95000L)));
    check(network.getPreferences(item.getCandidateUserId()).getPreferences().getSalaryMin() == 95000L, item);
    RolesApi roles = new RolesApi(recruiter);
    String roleId = roles.listRoles(null, null, null, null, List.of(Location.EUROPE), null, null, null, null, null, null, null, null, null,
        null, null, null, null, null, null, null, null, null, null, null, null, null).getRoles().get(0).getId();
    roles.getRole(roleId);
    CandidatesMatchesAndCallsApi crm = new CandidatesMatchesAndCallsApi(recruiter);
    crm.getCRMCandidate(crm.listCRMCandidates(null, null, null, null, null).getCandidates().get(0).getCandidateId());
    try {
      network.getPreferences("cu_unknown");
      check(false, "an unknown candidate was found");
    } catch (ApiException e) {
      check(e.getCode() == 404, e);
    }
  }
}
