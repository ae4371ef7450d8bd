package roles

// Parts of invented company names: compounds ("Lumenfold"), syllables ("Taveriq")
// and pairs ("Copper Meridian").
var (
	heads    = list("Lumen|Brack|Alder|Cinder|Marrow|Thistle|Copper|Juniper|Halcyon|Quill|Ember|Saffron|Tundra|Willow|Basalt|Clover|Dapple|Fennel|Garnet|Hollow|Indigo|Kestrel|Larch|Mallow|Nettle|Opal|Pebble|Quartz|Rowan|Sable|Teasel|Umber|Velvet|Wren|Yarrow|Zephyr|Amber|Birch|Cobalt|Drift|Elder|Flint|Gorse|Heron|Iris|Jasper|Knoll|Linden|Moss|North|Onyx|Pine|Rook|Slate|Tidal|Ultra|Vesper|Wick|Yonder|Zinc")
	tails    = list("fold|field|wright|works|stack|gate|path|mark|bridge|forge|light|wave|spring|grove|stone|harbor|line|loom|nest|point|port|reach|ridge|root|sail|shore|span|spark|tide|trail|vale|vault|ward|watch|well|yard|beam|bloom|crest|deck|dock|drift|flow|frame|glass|grain|hive|house|lane|leaf")
	onset    = list("b|br|c|d|dr|f|g|gl|h|j|k|kr|l|m|n|p|pr|qu|r|s|sk|st|t|tr|v|w|z|ph|sh|th")
	vowel    = list("a|e|i|o|u|ae|ia|eo|ou|y")
	coda     = list("|n|r|l|x|m|s|q|t|v|nd|rk|lt|ro|ra|no")
	pairs    = list("Meridian|Orchard|Lantern|Compass|Anvil|Ferry|Observatory|Beacon|Almanac|Bureau|Cartel|Foundry|Guild|Signal|Theorem|Parallel|Canopy|Quarry|Saddle|Turbine|Prairie|Harvest|Atlas|Cascade|Monsoon|Pendulum|Ledger|Octave|Prism|Relay")
	suffixes = list("|Labs|Systems|Technologies|Group|Studio|Software|Networks|Collective|Partners|Industries|Ventures|Workshop")
)

// sector is what companies of an industry do: what they make, for whom, and why.
type sector struct {
	industries []string
	makes      []string
	whom       []string
}

var sectors = []sector{
	{list("fintech|financial_services|b2b"), list("expense cards|treasury automation|invoice financing|fraud detection|open banking connections|payroll rails|cross-border settlement"), list("mid-sized manufacturers|freelancers|community banks|marketplaces|property managers|exporters")},
	{list("healthcare|life_sciences|ai"), list("clinical documentation|trial recruitment|remote monitoring|prior authorisation|imaging triage|pharmacy operations"), list("rural hospitals|dermatologists|oncology networks|home nurses|insurers|research sites")},
	{list("devtools|api_sdk|software_development"), list("build caching|feature flags|observability pipelines|schema migrations|preview environments|code search|incident response"), list("platform teams|open source maintainers|game studios|regulated enterprises|startups")},
	{list("ai|enterprise|b2b"), list("document understanding|voice agents|contract review|knowledge retrieval|procurement copilots|model evaluation"), list("shared service centres|insurers|law firms|airlines|call centres|consultancies")},
	{list("cybersecurity|security|enterprise"), list("identity governance|secrets management|cloud posture checks|phishing defence|vulnerability triage|hardware attestation"), list("utilities|banks|universities|software vendors|municipalities")},
	{list("robotics|hardware|manufacturing"), list("palletising robots|inspection drones|surgical instruments|warehouse shuttles|precision grippers|welding cells"), list("distribution centres|shipyards|farms|electronics factories|breweries")},
	{list("logistics|transportation|b2b"), list("freight matching|yard scheduling|customs filings|cold chain tracking|route planning|fleet electrification"), list("importers|grocers|carriers|forwarders|couriers")},
	{list("environment|hardware|government"), list("carbon accounting|grid batteries|heat pumps|methane sensing|water reuse|geothermal drilling"), list("cities|data centres|food producers|housing associations|utilities")},
	{list("ecommerce|consumer|marketplace"), list("resale storefronts|subscription kitchens|personal styling|artisan marketplaces|returns handling|live shopping"), list("parents|collectors|independent brands|renters|pet owners")},
	{list("education|edtech|consumer"), list("reading tutors|apprenticeship matching|classroom planning|language practice|exam preparation|campus operations"), list("teachers|adult learners|school districts|nursing students|apprentices")},
	{list("gaming|media|creator_economy"), list("multiplayer backends|podcast tools|fan memberships|story engines|video localisation|rights management"), list("indie developers|musicians|newsrooms|streamers|film crews")},
	{list("crypto|finance|venture_capital"), list("custody software|onchain settlement|staking infrastructure|tokenised funds|wallet recovery|market surveillance"), list("funds|exchanges|treasurers|developers|family offices")},
	{list("insurance|fintech|data"), list("parametric cover|claims automation|underwriting data|embedded policies|telematics pricing"), list("brokers|small fleets|growers|landlords|travellers")},
	{list("law|enterprise|ai"), list("discovery review|matter budgeting|immigration filings|patent drafting|policy tracking"), list("boutique firms|corporate counsel|universities|public defenders")},
	{list("real_estate|construction|b2b"), list("site progress capture|lease administration|permit automation|tenant experience|estimating software"), list("general contractors|asset managers|architects|co-ops|developers")},
	{list("defense|autonomous_vehicles|hardware"), list("autonomous boats|radio sensing|satellite tasking|counter-drone systems|mission planning"), list("coast guards|allied governments|emergency services|surveyors")},
	{list("marketing|ad_tech|data"), list("incrementality testing|creative analytics|loyalty programmes|retail media|audience clean rooms"), list("direct brands|agencies|grocers|publishers|restaurants")},
}

var (
	verbs         = list("builds|makes|brings|delivers|reinvents|simplifies|automates")
	promises      = list("so that work takes minutes instead of weeks|without replacing what already runs|with accuracy that auditors accept|at a tenth of the usual cost|and keeps a person in the loop|from the first day of use|in sixty countries|trusted by more than two hundred teams")
	circumstances = list("in a team of six with no meetings before noon|next to the people who will use it|with a budget of your own and few rules|while the company doubles in size|from a desk that looks over the harbour or from your own kitchen|with weekly demonstrations to customers|under the guidance of two patient founders|with travel about once a quarter|in a codebase that new people call a pleasant surprise|with colleagues in five time zones")
	investors     = list("Alder Ridge Capital|Bluewater Ventures|Cartographer Fund|Driftwood Partners|Evergreen Angels|First Furrow|Granite Peak|Harbourlight Ventures|Inkwell Capital|Junction Seed|Kindling Ventures|Longshore Partners|Millrace Capital|Northgate Growth|Orchard Street Ventures|Paper Crane Capital|Quayside Partners|Redwood Bay Fund|Sandpiper Ventures|Tallgrass Capital|Upland Ventures|Vantage Row|Westerly Partners|Yellow Door Angels|Zeppelin Capital")
	benefits      = list("Health, dental and vision cover|Sixteen weeks of parental leave|Home office budget|Learning budget|Meaningful equity|Lunch on office days|Visa and relocation support|Retirement matching|Four weeks of holiday|Sabbatical after four years")
	values        = list("Write it down|Default to kindness|Own the outcome|Small teams, large trust|Measure before arguing|Leave it simpler|Customers first, always|Stay curious")
	offices       = map[string]string{
		"asia": "Singapore", "australia": "Melbourne", "boston": "Boston", "canada": "Toronto", "chicago": "Chicago", "denver": "Denver",
		"europe": "Berlin", "florida": "Miami", "india": "Bengaluru", "korea": "Seoul", "latam": "São Paulo", "los_angeles": "Los Angeles",
		"minnesota": "Minneapolis", "new_york": "New York", "sacramento": "Sacramento", "san_francisco": "San Francisco", "seattle": "Seattle",
		"south_bay_area": "Mountain View", "texas": "Austin", "uk": "London", "washington_dc": "Washington",
	}
	places = list("san_francisco|san_francisco|san_francisco|san_francisco|new_york|new_york|new_york|south_bay_area|boston|seattle|los_angeles|texas|chicago|denver|uk|europe|canada|india|latam|australia|asia|florida|korea|minnesota|sacramento|washington_dc")
)
