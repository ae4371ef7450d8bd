package roles

import "strings"

// family is what roles of several types have in common.
type family struct {
	levels []string // put before a title
	stack  []string // tools, of which a role wants some
	salary [2]int   // thousands of dollars a year, from the lowest to the highest
	tasks  []string // what one would do
	asks   []string // what one should bring
}

func list(s string) []string { return strings.Split(s, "|") }

var (
	engineering = &family{ladder, list("Go|Rust|TypeScript|Python|Java|Kotlin|Ruby on Rails|Elixir|C#|Scala|React|Next.js|Vue|Svelte|Node.js|GraphQL|gRPC|PostgreSQL|MySQL|Redis|Kafka|ClickHouse|Elasticsearch|DynamoDB|AWS|GCP|Azure|Kubernetes|Terraform|Docker|Swift|React Native|Solidity|Datadog|Temporal|RabbitMQ|Cassandra|Bazel"), [2]int{120, 290},
		list("Design services that stay fast under ten times today's load|Own features from the first sketch to the pager|Break a monolith into parts that teams can ship alone|Build the ledger that every payment passes through|Cut the slowest queries until dashboards feel instant|Write the tests that let us deploy forty times a day|Shape the interfaces that customers integrate against|Harden authentication, tenancy and audit trails|Automate the rollout of a fleet across regions|Mentor engineers and raise the bar in review"),
		list("Years of shipping production software that others rely on|Fluency in at least one typed language|Comfort with ambiguity and small teams|A record of simplifying what was complicated|Care for observability and incident learning|Experience with relational data at scale|Clear writing, since we decide in documents")}
	ai = &family{ladder, list("Python|PyTorch|JAX|CUDA|Triton|Ray|Spark|Hugging Face|LangGraph|vLLM|Kubernetes|AWS|GCP|Airflow|TensorRT|OpenCV|NumPy|Weights & Biases|Vector Databases|C++|Rust|SQL"), [2]int{150, 420},
		list("Train models on proprietary sequences and measure what changed|Turn papers into services that answer within a hundred milliseconds|Build evaluation suites that catch regressions before customers do|Curate data sets with experts in the loop|Scale training across hundreds of accelerators|Distil large models until they fit on a device|Design retrieval that grounds every answer|Publish when it helps and ship when it matters"),
		list("Depth in optimisation, statistics or representation learning|Experience moving a model from notebook to production|Strong engineering habits beside research taste|Publications or open source that others build upon|Patience for careful ablations|Judgement about when a simple baseline wins")}
	data = &family{ladder, list("SQL|Python|dbt|Snowflake|BigQuery|Airflow|Spark|Kafka|Looker|Tableau|Dagster|Databricks|R|Fivetran|Redshift|Flink|Metabase|Iceberg"), [2]int{105, 240},
		list("Model the metrics that the whole company steers by|Build pipelines that arrive on time and explain themselves when late|Run experiments and tell people what they did not want to hear|Forecast demand for every warehouse and week|Untangle attribution across channels|Teach teams to answer their own questions"),
		list("Mastery of window functions and of asking why|Experience with modern warehouses|Ability to explain variance to executives|Care for naming, lineage and documentation|Background in statistics or econometrics")}
	hardware = &family{ladder, list("C++|C|Python|ROS 2|Embedded Linux|FreeRTOS|SolidWorks|Altium|MATLAB|Simulink|FPGA|CAN bus|Zephyr|Rust|PCB Design|Isaac Sim|NX|Ansys|PyTorch|EtherCAT"), [2]int{115, 260},
		list("Take a mechanism from napkin to thousandth unit|Bring up boards and find the noise nobody else could|Write control loops that never miss a deadline|Test in heat, dust and vibration until nothing breaks|Fuse lidar, cameras and inertial sensors into one belief|Work beside technicians on the factory floor|Qualify suppliers and second sources"),
		list("Hands-on years with physical products|Fluency with oscilloscopes and datasheets|Experience with safety standards|Willingness to travel to test sites|A portfolio of things that move")}
	sales = &family{corporate, list("Salesforce|HubSpot|Outreach|Gong|LinkedIn Sales Navigator|Clari|Apollo"), [2]int{80, 230},
		list("Open doors at logos that have never heard of us|Run complex cycles with procurement, security and finance|Build territory plans and keep forecasts honest|Demonstrate the product to sceptical specialists|Negotiate multi-year agreements|Feed the voice of prospects back to product"),
		list("Record of beating quota in a technical category|Experience selling six-figure contracts|Curiosity about how customers make money|Discipline with pipeline hygiene|Grit and good humour")}
	success = &family{corporate, list("Zendesk|Intercom|Salesforce|Jira|SQL|Python|Gainsight|Postman|Retool"), [2]int{70, 180},
		list("Guide customers from kickoff to measurable value|Spot churn months before it happens|Reproduce issues and write reports engineers love|Run quarterly reviews with executives|Create tutorials, samples and workshops|Turn feedback into roadmap arguments"),
		list("Empathy together with technical curiosity|Experience with enterprise accounts|Calm under escalation|Talent for explaining difficult things simply")}
	marketing = &family{corporate, list("HubSpot|Marketo|Google Ads|Meta Ads|Webflow|Figma|Amplitude|Segment|Braze|Ahrefs|Klaviyo|Customer.io"), [2]int{75, 210},
		list("Tell a story that makes a dull category interesting|Launch campaigns across paid, owned and earned channels|Grow organic traffic without tricks|Plan events that sales begs to repeat|Segment audiences and nurture them patiently|Own the calendar, budget and reporting|Work with creators whose audiences trust them"),
		list("Portfolio of campaigns with numbers attached|Sharp writing and sharper editing|Comfort with analytics and experimentation|Experience at an early-stage company|Taste")}
	design = &family{ladder, list("Figma|Framer|Adobe Creative Suite|After Effects|Prototyping|HTML|CSS|Blender|Principle"), [2]int{95, 220},
		list("Simplify dense workflows for people under pressure|Prototype ideas before anyone writes a ticket|Extend the design system with accessible components|Sit with users every week|Give the brand a voice across print, web and motion"),
		list("Portfolio that shows thinking as well as polish|Experience with complex tools rather than landing pages|Systems mindset|Strong typography and layout")}
	product = &family{corporate, list("Jira|Linear|SQL|Figma|Amplitude|Notion|Mixpanel|Productboard"), [2]int{110, 250},
		list("Find the problem worth solving and say no to the rest|Write briefs that engineers enjoy arguing with|Run discovery with customers in four time zones|Sequence launches across compliance and operations|Define success before building|Keep dependencies visible and risks small"),
		list("Years of shipping products with engineers|Technical depth to discuss trade-offs|Structured communication|Experience with regulated or complex domains")}
	operations = &family{corporate, list("Notion|Google Sheets|SQL|Salesforce|Rippling|Greenhouse|Asana|Looker|Workday"), [2]int{70, 220},
		list("Turn chaos into a weekly rhythm|Prepare board materials and follow what was decided|Build compensation bands and hiring plans|Fix the process between two teams that blame each other|Model scenarios for pricing and headcount|Coordinate offices, travel and gatherings"),
		list("Background in consulting, banking or an operating role|Spreadsheet fluency|Discretion with sensitive matters|Bias to finish things")}
	finance = &family{corporate, list("NetSuite|QuickBooks|Excel|Carta|Ramp|SQL|Workday|Anaplan"), [2]int{80, 230},
		list("Close the books in five days|Build the audit trail for a first external audit|Own revenue recognition for usage pricing|Model runway and fundraising scenarios|Automate payables and expense policy"),
		list("Certified accountant or equivalent|Experience with subscription businesses|Precision under deadline|Knowledge of stock compensation")}
	legal = &family{corporate, list("Ironclad|DocuSign|Clio|Relativity|Westlaw|Notion"), [2]int{75, 320},
		list("Negotiate master agreements with enterprise buyers|Advise product teams on privacy and data protection|Manage outside counsel and budgets|Prepare filings, minutes and resolutions|Build policies people actually follow|Support financings and acquisitions"),
		list("Admission to practise in at least one jurisdiction or equivalent training|Experience in technology transactions|Plain-language drafting|Business judgement")}
	clinical = &family{corporate, list("Epic|Athenahealth|Telehealth Platforms|HIPAA|Zendesk"), [2]int{85, 210},
		list("Care for patients by video and in person|Write protocols that physicians trust|Review charts and coach colleagues|Work with engineers on clinical safety|Track outcomes across cohorts"),
		list("Active licence in good standing|Years of bedside or outpatient practice|Interest in technology|Warm manner")}
)
