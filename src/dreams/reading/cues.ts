/**
 * Signs by which a sentence shows what it does: asks, promises, tells of an absence, sets a rule, states what
 * somebody wants. Closed lists of English, each judged on one sentence; what they are used for is the kinds' business.
 */
import { betweenSentences } from '../../core/matters.ts'

const any = (...parts: readonly string[]): RegExp => new RegExp(`\\b(?:${parts.join('|')})\\b`, 'i')

/** A question somebody would like answered, with or without a question mark. */
const asking =
  /\?["'”’)]*\s*$|\b(?:does (?:any|some)(?:body|one)|who can (?:say|tell)|(?:can|could) (?:some|any)(?:body|one)|nobody (?:knew|knows|could (?:say|tell)|(?:has )?(?:told|said|answered))|(?:no idea|don't know|do not know|not sure|haven't found out|nobody found out|have to find out|needs? to find out) (?:who|what|whether|when|where|which|how|if|why)|asked? (?:again )?(?:who|what|whether|when|where|which|how|if)|wanted to know|wonder(?:s|ed|ing)? (?:who|what|whether|when|where|which|how|if|why)|nobody (?:here )?(?:could|can|has been able to) (?:tell|say)|(?:told|answered) me yet (?:who|what|whether|when|where|which|how|if|why)|(?:can't|cannot|can not|couldn't) tell (?:who|what|whether|when|where|which|how|if|why)|(?:don't|do not) (?:yet )?know (?:from |in |at |of |by )?(?:who|what|whether|when|where|which|how|if|why)|(?:isn't|is not|not|still not|not yet) clear|unclear to (?:me|us)|left (?:it |that |this )?(?:open|blank)|(?:left|leave|have) (?:a |it )?(?:blank|gap|hole|question mark)|(?:with|has|have) a question mark|(?:had|have|has|needs?|ought|would have) to (?:be )?(?:find|found|known|know|ask|asked|say) (?:out )?(?:somebody|someone|who|what|whether|when|where|which|how|if|why)|(?:should|must) find out|open as ever|no answer for|somebody (?:would|should|ought to|has to) (?:have to )?(?:say|tell|know|read|look)|open question|still (?:unclear|open)|(?:could|can)(?: not|n't|not) (?:tell|say|find out))\b/i
/** Nobody could tell: a question that is told as open. */
const unknown =
  /\b(?:(?:nobody|no one|none of \w+|neither)\b[^.;!?]{0,60}\b(?:know|knows|knew|(?:could|can) (?:say|tell|name|explain|remember)|able to (?:say|tell)|(?:has|have|had) (?:any|an) (?:idea|answer|explanation))|no (?:\w+ )?idea (?:who|whose|what|where|which|why|how)|(?:had|has|have) no (?:\w+ )?(?:idea|answer|explanation)|(?:remains?|stays?|is|are) (?:as )?(?:unknown|unexplained|anybody's guess|anyone's guess|a (?:riddle|mystery|puzzle)|in the dark)|known to (?:none|nobody|no one)|(?:like|good) to (?:know|understand) (?:who|whose|what|where|which|why|how|as well)|(?:can't|cannot|can not|couldn't|could not|doesn't|does not) (?:see|explain|make out|place) (?:who|whose|what|where|which|why|how)|(?:isn't|is not|nowhere) (?:written|explained|documented)|could name neither)\b/i
/** Asked of nobody, or answered in the same breath. */
const rhetorical =
  /^(?:ok|okay|right|really|why not|how about|what about|see|who knew|you know|remember)\b[^?]*\?|\bor what\?|\bisn't it\?|\bright\?$|,\s*(?:huh|eh|no|right|ok|okay)\?$|\?\s*(?:no|yes|nope|yep|sure|never)\b/i

export const asks = (sentence: string): boolean =>
  (asking.test(sentence) || unknown.test(sentence)) && !rhetorical.test(sentence)

const promising =
  /^by\b[^,.;]{3,40}?\b(?:they|it|you|we|everything|everybody)\b|\b(?:promis(?:ed?|es)|(?:I'm|I am|we're) (?:sending|bringing|writing|fixing|doing|getting|putting|making|building|mending|painting|replacing|repairing|swapping|rewriting|drawing|hanging)|gets? .{1,40} from me|said (?:he|she|they|it) (?:would|will)|says (?:he|she|they) (?:will|'ll)|you'll have|I take (?:that|this)|leave (?:it|that) to me|swore|vowed|guaranteed|will (?:get|have|be) .{1,30} back|I'll|I will|I shall|we'll|we will|will (?:send|deliver|bring|fix|call|write|pay|give|finish|have|do|return|hand)|(?:he|she|they)'ll|to be done|I'm going to|owe|owes|(?:my|this) word|hold me to|that(?: one)?(?:'s| is) mine|I (?!(?:hope|think|know|want|need|like|doubt|got|saw|had|did|made|took|put|left|found|gave|read)\b)[a-z]+(?<!ed) (?:it|them)|hand on heart|commit(?:ted)? to|(?:told|assured) [\w ]{1,30} (?:that )?(?:I|we)'d|said (?:that )?(?:I|we)'d|(?:upon|on) (?:myself|ourselves)|(?:it|they|ones?) will be (?:in|on|at|with|there|ready|done|up|out)|I'm (?:taking|doing) (?:it|this|that|the)|I (?:do|make|fit|mend|fix|write|send|bring|finish|build|order|clean) (?:this|that|the|a|new)|from me (?:before|by|until)|agreed to (?:send|deliver|bring|write|pay|do|give)|will be (?:with (?:us|me|you|them|him|her)|sent|delivered|finished|fixed|repaired|replaced|returned|paid|ready)|(?:is|are) to be (?:with (?:us|me|you|them|him|her)|here|ready|done|finished|delivered|back)|(?:sends|brings|delivers|hands|mails|posts|returns|gives) (?:us|me|you))\b/i
/** Who does what on the day itself: "Tonight Emre has tables 1 to 13", "Ana takes the desk today". */
const rostering =
  /^(?:tonight|today|tomorrow|this (?:morning|afternoon|evening|week)),?:? \p{Lu}\p{Ll}+ (?:has|takes|does|covers|works|is (?:on|at|in))\b/iu
const notPromising =
  /\b(?:if|unless|whether|(?<!said (?:he|she|they|it) )would|could|might|maybe|perhaps|won't|not)\b|\?\s*$/i

/** "Runbook: mine.", "New nets, on me.", "Will have it mended by Saturday." */
const taking = /(?::\s*|^)(?:mine|on me)\b(?=[.,:;]|$)|^will (?:have|get) (?:it|them|this|that)\b/i

/** Somebody binds themselves to do something. */
export const promises = (sentence: string): boolean =>
  (promising.test(sentence) || taking.test(sentence)) &&
  !notPromising.test(sentence) &&
  !rostering.test(sentence)

/** Something is missing, undone or still open. */
export const lacks = any(
  'blank',
  'missing',
  'lacking',
  'still (?:no|not|waiting|open|missing)',
  'not (?:yet|there|here|done|sent|back|come|arrived)',
  'no',
  'nothing',
  'without',
  'empty',
  'again',
  'nobody',
  'never',
  'waiting for',
  'where is',
  'forgot(?:ten)?',
)

/** Something was brought to an end. */
export const tellsDone = any(
  'done',
  'finished',
  'complete[ds]?',
  'sent',
  'delivered',
  'arrived',
  'ready',
  'is (?:up|in|out|live|there|back)',
  'are (?:up|in|out|live|there|back)',
  'fixed',
  'closed',
  'resolved',
  'handed (?:in|over)',
  'got',
  'has (?:her|his|their|its|the)',
  'received',
  'signed',
  'paid',
  'shipped',
  'went (?:out|well|fine|through)',
  'passed',
  'built',
  'bought',
  'brought',
  'works',
  'ran',
)

/** Something that was asked is known now. */
export const solves = any('solved', 'answered', 'found out', 'turn(?:s|ed) out', 'cleared up')

const personAway =
  /\b(?:(?:I|we)(?:'(?:m|re)| am| are|'ll be| will be) (?:in (?!(?:the (?:office|house|shop|lab|kitchen|room|building))\b)|away|off|out|not (?:there|here|in|around)|on (?:holiday|leave|vacation|a course|parental)|abroad|travelling|traveling)|(?:is|are|be|am) (?:away|off (?:from|until|till|on|sick)|out of (?:office|town|the office)|abroad|on (?:holiday|leave|vacation|parental leave|sick leave))|holidays?|vacation|no laptop|no way out|not (?:at work|available|reachable)|unreachable|sabbatical|parental leave|hospital|surgery(?! \d)|honeymoon|operation|(?:days?|weeks?|week) off|not back (?:before|until)|conference|(?:I am|I'm) offline|flight to|flies to|fly to|flying to|trip to)\b/i
/** More ways to say so, among them those with a name. */
const alsoAway = [
  /\b(?:won't|will not|can't|cannot|can not|not able to|unable to) (?:be (?:in|here|there|around|with (?:you|us)|reached|available|reachable|at (?:work|the (?:office|shop|yard|lab)))|work|make it|come(?: in)?|attend|join)\b/i,
  /\b(?:take|takes|taking|took|have|has|having|got|gets?)\b[^.;:!?]{0,40}\boff\b(?! (?:the|with|it|his|her|my|their|our)\b)/i,
  /\b(?:will be missing|out of reach|off (?:the )?grid|count me out|(?:do not|don't) count on me|without me|stay(?:s|ing)? (?:at )?home|off sick|day off)\b/i,
  /\b(?:will be|'ll be|is|am) (?:at|with|visiting) (?:his|her|my|their) (?:sister|brother|mother|father|mum|dad|parents|family|in-laws|grand\w+|aunt|uncle)/i,
  /\b[Nn]o \p{Lu}\p{Ll}+ (?:on|from|until|till|this|next|all|between|for)\b/u,
  /^(?:not (?:here|in|there|around|at work)|(?:ski|hik|sail|camp|walk|climb|div)ing|off|away|out|gone) (?:on|from|in|till|until|all|next|this)\b/i,
]
const thingClosed =
  /\b(?:(?:goes|go|is|be|stays|will be|gets) (?:to|at|in|into) (?:the |its )?(?:garage|repairs?|workshop|service|cleaners?|mechanic)|(?:is|are|gets?|being|be|stays?) (?:all )?(?:switched|turned|shut|powered|taken) (?:off|down|offline)|(?:be|goes?) dark|(?:is|are|gets?|being|be) (?:repaired|serviced|painted|replaced|moved|rebuilt|renovated|cleaned out|lent)|lent (?:out|to)|sold out|out of service|cordoned off|roadworks|blocked off|(?:is|are|be|stays?|will be|remains?|gets?) (?:closed|locked|shut|down|offline|unavailable|blocked|frozen|out of (?:service|order))|closed (?:for|from|on|until|between)|shut(?:s|down)? (?:for|from|on|between)|nothing can be|no (?:access|deploys?|releases?|entry|water|power|electricity|heating|deliveries)|freeze|code freeze|maintenance|power cut|(?:moves|move|moving) to (?:the|a|its) new|migration|closure|strike)\b/i

const alsoClosed = [
  /(?:^|[.;:,!?] )no (?!\p{Lu})(?:[\p{L}-]+ ){1,3}(?:in|at|on|from|between|until|till|all|for|this|next|tomorrow)\b/iu,
  /\b(?:sends?|serves?|takes?|has|have|runs?|gives?) no (?:[\p{L}-]+ ){1,3}(?:on|from|between|until|till|all|this|next|tomorrow)\b/iu,
  /\b(?:the|our|its|their|this) (?:[\p{L}-]+ ){1,3}(?:will be|is|are|stays?|goes) (?:off|out|down)(?= (?:all|the whole|in (?:the|all|every)|on|from|between|until|till|for|that|this|next)\b|[.;,!?]|$)/iu,
]

/** What a sentence tells to be out of reach: a person, a thing, or nothing. */
export function absenceIn(text: string): 'person' | 'thing' | undefined {
  const plain = text.replace(/’/g, "'")
  if (thingClosed.test(plain) || alsoClosed.some((way) => way.test(plain))) return 'thing'
  return personAway.test(plain) || alsoAway.some((way) => way.test(plain)) ? 'person' : undefined
}

/** Something has to happen on its day. */
export const isDue = any(
  'due',
  'deadline',
  'by noon',
  'has to',
  'have to',
  'must',
  'needs? to',
  'at the latest',
  'late',
  'picks? up',
  'leads?',
  'meeting',
  'visit',
  'arrives?',
  'comes?',
  'starts?',
  'measures?',
  'delivers?',
  'delivery',
  'release',
  'launch',
  'appointment',
  'exam',
  'test',
  'interview',
  'presentation',
  'talk',
  'wedding',
  'party',
  'birthday',
  'audit',
  'demo',
  'upgrade',
  'booked',
  'expires?',
  'ends?',
  'runs? out',
  'window',
  'morning',
  'invited',
  'at \\d{1,2}(?:\\s?[ap]m)?',
  '\\d\\d:\\d\\d',
)

/** Whoever is meant, it concerns those who share the notebook. */
export const concernsAll = any(
  'one of us',
  'both of us',
  'us two',
  'all of us',
  'we all',
  'everyone',
  'everybody',
  'the whole team',
  'we need',
)

const ruling =
  /^(?:nobody|no one) (?!is|was|has|had|knows?|knew|seems|noticed|needs)\w+s\b|^no [a-z][a-z ]{2,40}? (?:on|in|at|after|before|for|to (?:the|an?|any|our|this|that)|from|near|over)\b|,? ever\.?$|\bonly (?:ever )?\w+ (?:after|before|when|if|with|by|once)\b|\bneeds? (?:two|a second|another|both|the) (?:\w+ )?(?:signatures?|approvals?|pairs? of eyes|people|keys)\b|\b(?:not at all|or not at all|no exceptions?)\b|\b(?:never|always|must(?:n't| not)?|rule|rules|not allowed|forbidden|no \w+(?: \w+)? (?:unless|without|before|after)|nothing (?:to|goes|is|gets|leaves|without)|only (?:by|with|after|when|if|via|through|ever|on|in)|from (?:today|now) on?|from today|whatever .{1,40} (?:is|must|has)|(?:is|are) (?:read|signed|checked|approved|reviewed) by|has to be|have to be|under no circumstances|(?<=^(?:please |and |so )?)(?:do not|don't)|nobody (?:may|is to|touches)|no one (?:may|is to)|may not|without exception|policy|agreed that)\b/i
const reportsRule =
  /\bso (?:that )?\w+ only\b|\bmust (?:have|be(?=\s*(?:[.,;!)]|$)))|\b(?:I never|never mind|never seen|never again saw|never stops|was never|never (?:was|had|got)|always (?:nice|fun|good|the same)|rules (?:it|that) out|as a rule|house rules on|like always)\b|\?\s*$/i

/** A rule for what is to be done or left; not a remark that something never happened. */
export const rules = (sentence: string): boolean => ruling.test(sentence) && !reportsRule.test(sentence)

/** The words in which people own up to having done it another way. */
export const deviates =
  /\b(?:on (?:my|his|her|their|our|its) own|by (?:myself|himself|herself|themselves|ourselves)|alone|without|anyway|anyhow|nevertheless|just this once|this once|(?:had|has|have|did|was|were|is|are)(?:n't| not)|skipp(?:ed|ing)|forgot|no time|instead|exception(?:ally)?|although|though|even so|in a hurry|quickly|straight away|right away|myself|himself|herself|themselves|on the fly|my own|this time|for once|for the night|for now|just a (?:quick|minute)|un(?:plugged|locked|screwed|attended|checked|signed|tested)|took .{1,40} home|never (?:asked|told|checked)|straight (?:to|into|on)|direct(?:ly)? (?:to|in|into|on)|by hand|in cash|never mind|will (?:match|catch|do) (?:it|that) (?:up|later)|afterwards|left .{1,30} (?:in|on|at)|didn't|hadn't)\b/i

const wanting =
  /\b(?:(?:wants?|wanted|asked|asks|would like|begs|begged|insists?) (?:to be|to get|to have|to know|us|for|that|only|no|not|her|his|their|its|it|everything)|please (?:only|no|not|never|don't)|prefers?|would rather|anything but|wants? (?:all|every|everything|her|his|their|nothing|it)|asked that|asks that|likes? (?:it|them|her|his) (?:\w+ ){0,3}(?:better|best|only)|(?:is|are) (?:vegetarian|vegan|afraid of|scared of|intolerant)|in writing|never (?:eats?|drinks?|wants?|calls?)|please don't|reads? only|only (?:reads?|eats?|drinks?|takes?|wears?|uses?)|eats? only|eat no|don't (?:eat|like|want)|hate|not before|not after|is tired|makes (?:him|her|them|me) (?:sick|ill)|(?:is|am|are) allergic|allerg(?:y|ic)|can'?t (?:eat|stand|drink|have)|cannot (?:eat|stand|drink)|(?:does|do)(?:n't| not) (?:eat|drink|like|want|read|open|use|answer)|eats? no|hates?|dislikes?|no (?:flowers|fish|meat|nuts|calls|mails?)|for the record|it's the \w+\. please|if anyone ever|instead of|not by|nobody .{1,20} (?:opens|reads|answers))\b/i

/** Says what somebody wants, cannot bear, or asked to be spared. */
export const prefers = (text: string): boolean => wanting.test(text)

/** Kinds of trouble: what does not do what it should. */
const troubles = {
  illness:
    /\b(?:aches?|aching|headaches?|(?<!on )pain|hurts?|tummy|belly|stomach|fever|sick|ill|nausea|vomit\w*|doubled over|threw up|cramps?|rash|dizzy|migraine|cough\w*|unwell|exhausted|crying|cried)\b/i,
  outage:
    /\b(?:(?:is|are|was|were|went|goes|been|be) down|down (?:since|again|for|this)|dead|offline|outage|crash(?:es|ed|ing)?|restarted (?:by itself|on its own|again|at night|overnight)|(?:keeps?|kept) restarting|stopped|stuck|(?:hangs?|hung)(?! (?:in|by|up|from|behind|above|beside|next to|over|there)\b)|frozen|stood still|time(?:s|d)?[- ]?outs?|timeouts?|deadlock|jammed|tripped|gone again|unreachable|(?:no (?:\w+ )?|without (?:a )?)(?:labels?|connection|network|signal|payments?|power|water|answer|picture|sound|data|internet)|searching for (?:the|a) (?:network|signal)|could(?:n't| not) (?:take|pay|print|connect|open|load|start|reach|log in)|(?:won't|doesn't|does not|can't|cannot|didn't) (?:work|load|start|open|respond|print|connect)|not (?:working|loading|starting|responding|reachable)|lost (?:its|the) connection|drops? (?:out|off)|dropped (?:out|off)|drop(?:s|ped)? off|does not open|fell off|won't close|won't stay|no heat(?:ing)?|ice cold|switched itself off)\b/i,
  fault:
    /\b(?:fail(?:s|ed|ing|ure|ures)?|errors?|bug|broke(?:n)?|breaks|wrong|corrupt(?:ed)?|useless|rejected|bounced|refus(?:es|ed)|leak(?:s|ed|ing)?|duplicates?|minus|not valid|invalid|won't settle|blank|(?:half|all) grey|grey (?:screen\w*|box\w*|rectangle\w*|area)|empty|missing|isn't zero|melted|thaw(?:s|ed)?|smells? (?:bad|foul|burnt|off|of (?:gas|burning|smoke|drains?))|stinks?|alarm|paged|pager|at 9\d ?%|throws .{1,20} out|spikes?|spiked|flaky|flapping|came back|falls? (?:off|apart)|peels? off|torn|jams?|cracked|stained|blurred|garbled|nonsense)\b/i,
  delay: /\b(?:slow(?:er|ly)?|late|delay(?:s|ed)?|overdue|stall(?:s|ed)?|waiting|backlog|queue)\b/i,
  grief: /\b(?:complain(?:s|ed|ts?)?|problems?|trouble|worse|lost|gone|full|ran out)\b/i,
} as const

/** The first kind of trouble a text tells of. */
export const troubleOf = (text: string): keyof typeof troubles | undefined => {
  for (const [kind, pattern] of Object.entries(troubles))
    if (pattern.test(text)) return kind as keyof typeof troubles
  return undefined
}

/** What a thing no longer does. */
const noLonger = /\b(?:no longer|no more|not any more|won'?t|stopped)\b/i
/** What did not work does again. */
const mended =
  /\b(?:repaired|mended|fixed|cured|put right|(?:was|were|been|got) replaced|works (?:again|now|fine|as it should)|(?:it|which|that|and|now|the (?:\w+ )?\w+) works|runs again|(?:up|back|working|running|whole) again|(?:is|are) back|back (?:in service|to normal|online))\b/i

/** Whether a note tells that the trouble an older one tells of is over; what was decided is no trouble. */
export const tellsMended = (older: string, newer: string): boolean =>
  (troubleOf(older) !== undefined || noLonger.test(older)) &&
  !deciding.test(older) &&
  !mended.test(older) &&
  mended.test(newer)

/** What is told because it went well, where trouble was what one was used to. */
const tellsRelief =
  /\b(?:for once|for a change|on the first (?:go|try|attempt)|without (?:a hitch|any trouble)|as it should|no trouble|no longer)\b/i

export const tellsTrouble = (text: string): boolean =>
  troubleOf(text) !== undefined && !tellsRelief.test(text)

/** What was to be did not take place. */
export const callsOff =
  /\b(?:cancel\w*|called off|postpon\w+|put off|no (?:\w+ ){1,3}(?:today|tonight|this (?:week|weekend|morning|afternoon|evening)))\b/i

/** Nothing went wrong: "not a single complaint", "nothing wrong". */
export const tellsSound =
  /\b(?:nothing (?:was |went )?(?:wrong|amiss)|not (?:a|one) single|(?:no|zero|0) (?:\w+ ){0,2}(?:complaints?|troubles?|problems?|errors?|alarms?|drop-?outs?|failures?)|without (?:a |any )?(?:hitch|fault|trouble|problem|error|gap)s?|in good order)\b/i

/** Something was made otherwise than it was. */
export const alters =
  /\b(?:upgrad(?:e|ed|es)|enabled?|disabled?|mov(?:e|ed|es)|migrat(?:e|ed)|switch(?:ed|es)?|rais(?:e|ed)|lower(?:ed)?|replac(?:e|ed)|add(?:ed|s)?|introduc(?:e|ed)|deploy(?:ed)?|merg(?:e|ed)|roll(?:ed)? out|turn(?:ed)? (?:on|off)|chang(?:e|ed|es)|bump(?:ed)?|dropp(?:ed)|remov(?:e|ed)|renam(?:e|ed)|rewrote|refactor(?:ed)?|rotat(?:e|ed)|swapp(?:ed)|releas(?:e|ed)|install(?:ed)?|start(?:ed|s)?|opened|closed|tid(?:y|ied)|out today|new|runs since|since (?:nine|this morning|today)|hung (?:his|her|the|up)|plugged|took .{1,30} (?:out|away|off))\b/i

/** Sentences of a text, whole, with their own punctuation. */
export const sentencesOf = (text: string): string[] =>
  text
    .slice(0, 2_000)
    .split(betweenSentences)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

/** Names what a rule leaves out: "the one exception is Lottie's monitor". */
export const statesException = (sentence: string): boolean =>
  /\bexceptions?\b/i.test(sentence) && !/\b(?:no|without|any|zero) exceptions?\b/i.test(sentence)

/** Says itself that something settled no longer is: "our decision to stay is off", "we changed our minds". */
export const undoesOpenly = (text: string): boolean =>
  /\b(?:decision|agreement|rule|plan)s?\b[^.;!?]{0,60}\b(?:is|are|was|were|has been|have been) (?:off|lifted|dropped|withdrawn|reversed|overturned|scrapped|void)\b|\bchanged (?:my|our|his|her|their) minds?\b|^(?:changed|gave up|dropped|ended) (?:the|our|my|course)\b|\bno longer (?:\d|[\w-]+[,;]? (?:but|because|since|as)\b)|\b(?:up|down|raised|lowered|cut) from \d|\bin (?:place|stead) of (?:the )?\d|\btakes? back what\b|\b(?:undo|undoes|undoing|overturns?|overturned|reversing|take back|took back) (?:our|the|that|this|my|his|her|their) (?:[\w'’]+ ){0,3}(?:decision|agreement|rule)\b|\b(?:revok(?:es?|ed|ing)|rescind(?:s|ed)?)\b|\bchanged (?:with|by) \p{Lu}\p{L}+: |\b(?:from (?:today|now) on|from today)\b[^.;!?]*\b(?:again|instead|in place of|no longer|no more|not)\b|\b(?:again|instead|no longer|no more)\b[^.;!?]*\bfrom (?:today|now on)\b/iu.test(
    text,
  )

/** Tells that something was taught to deal with what is: "the import now reads merged cells". */
export const copes =
  /\b(?:now|at last|finally) (?:reads?|handles?|accepts?|supports?|understands?|parses?|recogni[sz]es?|copes?|deals?)\b/i

/** Settles something, or tells how it is settled. */
export const deciding =
  /\b(?:decided?|decision|agreed|settled|the answer is|we (?:keep|stay|stick|use|do(?:n't| not))|stays?|stick(?:s|ing)? (?:with|to)|for good|talked it over|long talk|from now on|is the one who|is responsible|owns|runs|leads|always|standard|default|is set to|listens on|lives in|belongs to|carries|takes over|should (?:the|it)|makes no difference|no difference|is free|for everybody)\b/i

/** "Is limited" tells what is so. */
const pastTense =
  /(?<!\b(?:is|are|be|being|gets?)\s(?:\w+\s)?)\b(?:\w{3,}ed|was|were|had|did|went|came|got|took|made|gave|sent|found|left)\b/i
/** Describes what was and not what is. */
export const tellsPast = (text: string): boolean => pastTense.test(text)
/** What something took or came to that time: it settles nothing. */
export const tellsEvent = (text: string): boolean =>
  tellsPast(text) && !deciding.test(text) && !alters.test(text)

/** Whether a note tells what somebody did, and not a rule, a question or a plan. */
export function tellsAct({ text, caution }: { readonly text: string; readonly caution: number }): boolean {
  if (
    caution > 0 ||
    asks(text) ||
    sentencesOf(text).some((sentence) => rules(sentence) && !deviates.test(sentence))
  )
    return false
  return /\b(?:I|we|he|she|they|[a-z]{2,}ed|did|put|gave|went|took|left|ran|sent|bought|made|let|brought|opened|paid|told|wrote|got|drove|kept|set|shipped|is|are|was|were)\b/i.test(
    text,
  )
}
