/**
 * The little English a night needs: which words say nothing of a subject, which turn a sentence round, which
 * pull against each other. Closed word lists of our own, kept as stems.
 */
import { monthForms, weekdayForms, weekdayNames } from '../../core/calendar-words.ts'
import { numerals, scales, units } from '../../core/quantities/words.ts'
import { stem } from '../../core/stem.ts'
import { stopWords } from '../../core/words.ts'

const words = (list: string): string[] => list.split(/\s+/).filter((word) => word !== '')
const stems = (list: string): ReadonlySet<string> => new Set(words(list).map(stem))

/** Words that turn the meaning of what follows in their clause. */
export const negators: ReadonlySet<string> = new Set(
  words(`not no never cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt hasnt havent
  hadnt aint without neither nor none nobody nothing hardly barely mustnt`),
)

/**
 * Function words: they never count as content. Search leaves out fewer, since what somebody asks for may be among these:
 * "near", "always", "soon".
 */
export const functionWords: ReadonlySet<string> = new Set([
  ...stopWords,
  ...negators,
  ...words(`either else ever every get gets getting got however less let like lot many may might mine much must near
  one onto per quite rather really s since still t thing though thus toward unless upon via whatever whether whose within
  yes yet always often sometimes usually already soon done ll ve re d m youre weve`),
])

/** Counted, and compared as what is measured is: how long a text may be. */
const counted = ['lines', 'characters']

/** Unit word to the kind of quantity it measures. */
export const unitKinds: ReadonlyMap<string, string> = new Map([
  ...[...units].map(([name, { kind }]) => [name, kind] as const),
  ...counted.map((name) => [name, name] as const),
])

/** Names of units that are words of other things, too: a database, a load balancer, a package, a pub. */
const otherThings: ReadonlySet<string> = new Set(
  words('amp amps bar crown crowns db foot gig gigs kv lb lbs ml rpm stone'),
)

/** Terms that only measure, with or without a number. */
export const unitTerms: ReadonlySet<string> = new Set(
  [...unitKinds.keys()].filter((name) => !otherThings.has(name)).flatMap((name) => [name, stem(name)]),
)

/** Everyday words: content, but too common in any diary to join two notes by themselves. Units are among them, too. */
export const everydayStems: ReadonlySet<string> = new Set([
  ...unitTerms,
  ...[...monthForms, ...weekdayForms, [...numerals.keys(), ...scales.keys()]].flat().map(stem),
  ...stems(`
  de du des la le les del della di dos das von der den dem ter el al able accept ache add address afternoon ago agree
  ahead air allow almost alone along amount answer anyone anything api app application apply area arrive ask away back
  bad base bad beautiful become bed begin behind believe best better big bit book boring bottom box break breakfast
  bring brother bug build busy button buy call care carry case catch cause certain chance change chat check choose ci
  city class clean clear clearly close code cold color come comment commit company complete computer consider continue
  cool copy cost count country couple course cover create cup current cut data date daughter dead deal decide deep
  default department deploy design desk develop developer difference different difficult dinner discuss document dog
  door doubt draft drink drive drop early easy eat effort email end engineer enjoy enough enter entire error
  especially evening event eventually everyone everything evidence exact example expect explain extra eye face fact
  fail fall family fast father fear feature feel field fight figure file fill final find fine finish first fix floor
  folder follow food forget form forward free fresh friend front full fun function future game general give glad go
  goes goal good great green group grow guess guy half hand handle hang happen happy hard hear heart heavy help high
  hold home hope hot house http huge idea improve include increase info information inside instead interest internal
  issue item job join json keep kid kind know lack large last late later launch lead learn least leave left level life
  light line link list little live load local long look lose love low lunch main make man manage manager mark matter
  mean meet meeting member mention merge message middle mind miss model moment money morning mother move name need
  network new news next nice night noise normal note notice number offer office ok okay old open operation option
  order original outside page paper parent part pass past pay people perfect perhaps person phone pick picture piece
  place plan play please point poor possible post power pr prefer prepare present pretty previous price probably
  problem process product production program project proper public pull push put question quick quickly quiet quite
  ran raise read ready real reason receive recent record reduce regular release remain remember remove reply report
  request require rest result return review right rise road room rule run safe save say school script section see seem
  sell send sense separate serious serve server service set setup several share ship shop short show side sign simple
  single sit site situation size sleep slow slowly small software someone something son soon sort sound source space
  speak special specific spend stand standard start state stay step stop story street strong stuff style sudden
  suggest summer support sure switch system table take talk task team tell term test text thank think thought ticket
  time tired today together tomorrow tonight tool top topic total touch track train travel tree trip trouble true try
  turn type understand update url use useful user usual value version view visit wait walk want warm watch water way
  wear weather web weekend weekly well white whole wife window winter wish woman wonder word work worker world worry
  worth write wrong yard yesterday young took taken stood lay held kept left felt told said went gone came gave given
  got made met paid put ran saw seen sold sent spent spoke thought threw won wore wrote written brought built bought
  caught chose cut fell found flew forgot grew heard hid hit hurt knew known led lost meant read rose sang slept
  taught understood woke blew broke drew drove ate began began became bit cost dealt dug fed fought hung kept laid
  lent lit rang rode shook shot shut sank stuck strike struck swam swept swung tore trod wound daily monthly nightly
  couple twice third half`),
])

/** Verbs that negate their object: "refuses to", "stopped doing", "avoid". */
export const negatingStems: ReadonlySet<string> = stems(
  'avoid refuse refused refuses stop stopped stops quit forbid forbidden forbids ban banned lack lacks prevent prevents',
)

/** A clause that holds one of these asserts nothing yet. */
export const hedges: ReadonlySet<string> = new Set(
  words(`if whether maybe perhaps might could would should may unless until wonder wondering hope hoping hopes wish
  wishes consider considering propose proposes proposed suggest suggests suggested plan plans planned planning expect expects
  expected expecting will shall going gonna want wants wanted try trying tries idea ideas question unsure unclear
  supposedly allegedly rumour rumor probably possibly likely assume assumes assumed imagine someday eventually
  predict predicts predicted bet forecast guess guesses think thinks tomorrow soon todo
  waiting pending still yet almost nearly`),
)

/** Signs that a sentence tells one event, not how things are. */
export const eventWords: ReadonlySet<string> = new Set(
  words(`today yesterday tonight morning afternoon evening once again was were had did took ran went came got saw
  made this last ago`),
)

/** How things come out. */
export const outcomeStems: ReadonlySet<string> = stems(
  `approve approved reject rejected accept accepted decline declined finish finished complete completed land landed
  ship shipped merge merged release released publish published deliver delivered arrive arrived win won lose lost sign
  signed close closed resolve resolved fix fixed fail failed pass passed break broke broken crash crashed live drop
  dropped fall fell rise rose increase increased decrease decreased reach reached exceed exceeded hit miss missed cancel
  cancelled canceled happen happened confirm confirmed pay paid sell sold resign resigned quit left join joined hire
  hired succeed succeeded worked hold held took cost stay stayed remain remained double doubled halve halved improve
  improved survive survived recover recovered renew renewed extend extended launch launched born gone came migrated
  moved switched adopt adopted refuse refused vote voted beat grew shrank slipped postponed done over expired
  finally ended succeeded agreed chose chosen granted denied`,
)

/** Steps on the way, which decide nothing. */
export const processStems: ReadonlySet<string> = stems(
  `submit submitted schedule scheduled begin began begun start started open opened prepare prepared prepares
  working draft drafted request requested order ordered ask asked discuss discussed announce announced rehearse
  rehearsed kickoff book booked`,
)

/** What ties a person to a duty. */
export const dutyStems: ReadonlySet<string> = stems(
  `owner approve approves approval responsible maintain maintains maintainer oncall credential credentials
  password permission`,
)

/** What takes a person away from it. */
export const goingStems: ReadonlySet<string> = stems(
  'leave holiday vacation away sick absent parental quit resign resigned resigns leaving travel travels travelling',
)

/** Words that pull against each other on one question; the sign says which way. */
const opposites: readonly [axis: string, plus: string, minus: string][] = [
  [
    'soundness',
    `works work stable reliable safe fine smooth smoothly pass passes passed solid harmless healthy uneventful
     robust trouble-free`,
    `fail fails failed failing broken breaks broke flaky unstable unreliable risky dangerous unsafe crash crashes crashed harmful
     fragile brittle rollback`,
  ],
  ['speed', 'fast faster quick quicker instant', 'slow slower sluggish'],
  ['cost', 'cheap cheaper free inexpensive', 'expensive costly pricey'],
  ['ease', 'easy simple trivial effortless', 'hard difficult painful tedious complicated'],
  [
    'taste',
    'like likes love loves enjoy enjoys favourite favorite',
    'hate hates dislike dislikes loathe loathes detest',
  ],
  ['permission', 'allowed allow allows permitted permit', 'forbidden forbid banned ban prohibited prohibit'],
  ['switch', 'enabled enable', 'disabled disable'],
  ['need', 'required mandatory require requires compulsory', 'optional unnecessary needless'],
  [
    'amount',
    'rise rises rose increase increases increased grow grows grew',
    'fall falls fell decrease decreases decreased shrink shrinks shrank',
  ],
  ['progress', 'improve improves improved', 'worsen worsens worsened degrade degrades degraded'],
  [
    'consent',
    'accept accepts accepted approve approves approved',
    'reject rejects rejected deny denies denied decline declined',
  ],
  ['reach', 'public', 'private'],
  ['presence', 'keep keeps', 'delete deletes remove removes'],
  ['frequency', 'always', 'never'],
  ['mode', 'synchronous', 'asynchronous'],
  ['effect', 'helps help helped useful', 'useless pointless'],
  ['tolerance', 'tolerate tolerates tolerated', 'allergic'],
]

interface Side {
  readonly axis: string
  readonly sign: 1 | -1
}

const sidesOf = (list: string, side: Side): [string, Side][] => words(list).map((word) => [stem(word), side])

/** Stem to its question and side. */
export const axes: ReadonlyMap<string, Side> = new Map(
  opposites.flatMap(([axis, plus, minus]) => [
    ...sidesOf(plus, { axis, sign: 1 }),
    ...sidesOf(minus, { axis, sign: -1 }),
  ]),
)

/** Verbs whose other side can be only one thing at a time: an owner, a place, a ground to stand on. */
export const exclusiveStems: ReadonlySet<string> = stems(
  'own owns lead leads maintain maintains live lives runs store stored host hosted kept belongs reside resides named called written',
)

/** Weekdays in lower case; their short forms are words of their own, too. */
export const weekdaySet: ReadonlySet<string> = new Set(weekdayNames.map((name) => name.toLowerCase()))

/** How often something happens, as one word. */
export const frequencies: ReadonlyMap<string, string> = new Map(
  words('hourly daily nightly weekly fortnightly monthly quarterly yearly annually').map((word) => [
    word,
    word === 'nightly' ? 'daily' : word === 'annually' ? 'yearly' : word,
  ]),
)

/** Words that narrow a statement to one case: what follows them makes another subject. */
export const narrowing: ReadonlySet<string> = new Set(
  words('for in on at when during under within via by with if inside outside except'),
)

/** Words that tell two cases of one thing apart. */
export const caseStems: ReadonlySet<string> = stems(
  `staging production prod dev development test testing sandbox local remote internal external public private free paid
  premium basic admin guest partner partners desktop mobile web android ios iphone mac windows linux left right upper
  lower front back first second third last old new primary secondary primaries replica backup north south east west
  summer winter weekday weekend morning evening adult adults child children read write input output hot cold soft hard`,
)

/** Comparisons whose sides cannot be swapped without changing the claim. */
export const comparators: ReadonlySet<string> = new Set(words('over than before after beats'))
