/**
 * A diary of a small bakery and its web shop, with questions whose words are misspelt and questions by time. Written
 * for the tests before the code that they judge.
 */

export interface Entry {
  readonly text: string
  /** When it was written down, ISO date; noon. */
  readonly on: string
}

export const diary: readonly Entry[] = [
  { text: 'Moved the order queue from RabbitMQ to NATS JetStream; latency halved.', on: '2025-01-14' },
  {
    text: 'Kubernetes node pool resized to four machines after the oven telemetry flooded it.',
    on: '2025-01-29',
  },
  { text: 'Signed the lease for the second shop on Harbour Lane with Mr Oyelaran.', on: '2025-02-03' },
  { text: 'Valentine boxes sold out by ten in the morning; bake twice as many hearts.', on: '2025-02-14' },
  { text: 'Sourdough starter died over the long weekend, borrowed some from Ingeborg.', on: '2025-03-04' },
  { text: 'Elasticsearch was replaced by plain Postgres full text search.', on: '2025-03-18' },
  { text: 'Quarterly review: croissants carry the shop, quiche loses money.', on: '2025-03-31' },
  { text: 'Easter Monday: the freezer alarm went off, nobody had a key.', on: '2025-04-21' },
  { text: 'Hired Thandiwe as the weekend cashier.', on: '2025-05-02' },
  { text: 'Terraform state lives in the bucket crumb-state, locked through DynamoDB.', on: '2025-05-16' },
  { text: 'Flour supplier raises prices by six percent from the autumn.', on: '2025-06-09' },
  { text: 'Midsummer market: rhubarb tarts were gone within the hour.', on: '2025-06-21' },
  { text: 'The espresso grinder needs a new burr every eighteen months.', on: '2025-07-01' },
  { text: 'Heat wave, chocolate deliveries moved to the early morning.', on: '2025-07-15' },
  { text: 'Grafana dashboards are kept as JSON in the ops repository.', on: '2025-08-05' },
  { text: 'Health inspector visited and wanted a second hand basin.', on: '2025-08-19' },
  { text: 'Checkout release 3.0 went live.', on: '2025-09-10' },
  { text: 'Load test found the basket service leaking connections.', on: '2025-09-03' },
  { text: 'Customers complained that the receipt mail arrives twice.', on: '2025-09-12' },
  { text: 'Books closed for the summer quarter with a small profit.', on: '2025-09-30' },
  { text: 'Pumpkin loaf burnt because thermostat B reads low.', on: '2025-10-30' },
  { text: 'Street children rang the bell all evening, we ran out of sweets.', on: '2025-10-31' },
  { text: 'Cleaned egg off the shop window.', on: '2025-11-01' },
  { text: 'Webshop went down under the discount crowd; queue page added.', on: '2025-11-28' },
  { text: 'Baked 300 gingerbread houses for the school.', on: '2025-12-11' },
  { text: 'Delivered the last stollen by bicycle, van in the ditch.', on: '2025-12-24' },
  { text: 'Till froze at half past eleven at night while people were toasting.', on: '2025-12-31' },
  { text: 'Stock count: nine bags of rye missing.', on: '2026-01-02' },
  { text: 'Accessibility audit: contrast of the buy button is too weak.', on: '2026-01-20' },
  { text: 'Dentist booked for 9 March 2026, take the afternoon off.', on: '2026-01-27' },
  { text: 'Webhook signatures are checked with HMAC and a rotating secret.', on: '2026-02-10' },
  { text: 'Ingeborg prefers rye bread without caraway.', on: '2026-02-16' },
  { text: 'Parcel carrier contract with Speedwell ends on 2026-06-30.', on: '2026-02-20' },
  { text: 'Zurich trade fair: stand 41, bring the brochure stand.', on: '2026-03-05' },
  { text: 'Ansible playbooks replaced the shell scripts on the tills.', on: '2026-03-11' },
  { text: 'Prometheus scrapes the ovens every fifteen seconds.', on: '2026-03-16' },
  { text: 'Interviewed a pastry chef who trained in Lyon.', on: '2026-03-17' },
  { text: 'Allergen labels were printed without sesame; all reprinted.', on: '2026-03-18' },
  { text: 'Power cut stopped the proofing cabinet for two hours.', on: '2026-03-19' },
]

/** The clock of the questions by time: a Friday. */
export const today = '2026-03-20'

export interface Question {
  readonly query: string
  /** How the entry asked for begins. */
  readonly answer: string
}

export const misspelt: readonly Question[] = [
  { query: 'kuberntes node pool', answer: 'Kubernetes' },
  { query: 'where is the terafform state', answer: 'Terraform' },
  { query: 'what replaced elasticserach', answer: 'Elasticsearch' },
  { query: 'rabitmq migration', answer: 'Moved the order queue' },
  { query: 'promethues scrape interval', answer: 'Prometheus' },
  { query: 'grafanna dashboards', answer: 'Grafana' },
  { query: 'who runs anisble now', answer: 'Ansible' },
  { query: 'thadniwe job', answer: 'Hired' },
  { query: 'ingebrog bread', answer: 'Ingeborg' },
  { query: 'lease with oyelarn', answer: 'Signed the lease' },
  { query: 'soudrough starter', answer: 'Sourdough' },
  { query: 'gingerbraed houses', answer: 'Baked 300' },
  { query: 'esspresso grinder', answer: 'The espresso' },
  { query: 'allergne labels', answer: 'Allergen' },
  { query: 'accesibility audit', answer: 'Accessibility' },
  { query: 'webhok signatures', answer: 'Webhook' },
  { query: 'speedwel contract', answer: 'Parcel' },
  { query: 'zurihc fair', answer: 'Zurich' },
  { query: 'recipt mail twice', answer: 'Customers' },
  { query: 'thermosat reads low', answer: 'Pumpkin' },
  { query: 'the freeezer alarm', answer: 'Easter' },
  { query: 'rubarb tarts', answer: 'Midsummer' },
  { query: 'helth inspector', answer: 'Health' },
  { query: 'ordrequeue latency', answer: 'Moved the order queue' },
  { query: 'flour suppleir prices', answer: 'Flour' },
  { query: 'weekendcashier', answer: 'Hired' },
  { query: 'dynamdb lock', answer: 'Terraform' },
  { query: 'croisants or quiche', answer: 'Quarterly' },
  { query: 'brochrue stand', answer: 'Zurich' },
  { query: 'chocolatte deliveries', answer: 'Heat wave' },
]

export const dated: readonly Question[] = [
  { query: "what happened on New Year's Eve?", answer: 'Till froze' },
  { query: 'what went wrong on Christmas Eve', answer: 'Delivered the last' },
  { query: 'what did we do the morning after Halloween?', answer: 'Cleaned egg' },
  { query: 'what happened on Halloween', answer: 'Street children' },
  { query: "anything from Valentine's Day?", answer: 'Valentine' },
  { query: 'problems on Black Friday', answer: 'Webshop' },
  { query: 'at the close of the third quarter', answer: 'Books closed' },
  { query: 'the week before the checkout release', answer: 'Load test' },
  { query: 'two days after the checkout release', answer: 'Customers complained' },
  { query: 'what happened yesterday', answer: 'Power cut' },
  { query: 'what did we do last Tuesday', answer: 'Interviewed' },
  { query: 'what was fixed on Wednesday', answer: 'Allergen' },
  { query: 'what happened in the middle of July 2025', answer: 'Heat wave' },
  { query: 'what is due on the ninth of March', answer: 'Dentist' },
  { query: 'which contract ends at the end of June', answer: 'Parcel' },
  { query: 'what happened the day before Halloween', answer: 'Pumpkin' },
  { query: 'notes from May 2nd 2025', answer: 'Hired' },
  { query: 'what did we decide in August last year about JSON', answer: 'Grafana' },
  { query: 'second day of the year', answer: 'Stock count' },
  { query: 'what happened at midsummer', answer: 'Midsummer' },
  { query: 'what happened three days ago', answer: 'Interviewed' },
  { query: 'the visit on 19 August', answer: 'Health inspector' },
  { query: 'what did we sign in early February 2025', answer: 'Signed the lease' },
  { query: 'what broke on Easter Monday last year', answer: 'Easter Monday' },
  { query: 'review at the end of the first quarter of 2025', answer: 'Quarterly' },
  { query: 'what did we note on 2025-10-30', answer: 'Pumpkin' },
  { query: 'what happened on the last day of 2025', answer: 'Till froze' },
  { query: 'what did we note four days ago', answer: 'Prometheus' },
  { query: 'on the first of November', answer: 'Cleaned egg' },
  { query: 'in the week of the trade fair', answer: 'Zurich' },
]
