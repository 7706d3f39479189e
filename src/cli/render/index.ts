/** Which renderer shows which operation. A new operation does not compile until it has one. */
import { type Config, ratesOf } from '../../config/config.ts'
import type { definitions } from '../../operations/index.ts'
import { renderAssess } from './assess.ts'
import { renderBeliefs } from './beliefs.ts'
import { renderBelieve } from './believe.ts'
import { renderCalibration } from './calibration.ts'
import { renderDreams } from './dreams.ts'
import { renderEvidence } from './evidence.ts'
import { renderEvidenceFor } from './evidence-for.ts'
import { renderFlag } from './flag.ts'
import { renderForget } from './forget.ts'
import { renderNoteAbout } from './note-about.ts'
import type { Output } from './output.ts'
import { renderOutsideViews } from './outside-views.ts'
import { renderPredict } from './predict.ts'
import { renderPredictionsOpen } from './predictions-open.ts'
import { renderRecall } from './recall.ts'
import { renderRemember } from './remember.ts'
import { renderResolve } from './resolve.ts'
import { renderRevise } from './revise.ts'
import { renderState } from './state.ts'
import type { Style } from './style.ts'

type Renderers = {
  [Name in keyof typeof definitions]: (output: Output<Name>, style: Style, config: Config) => string
}

const renderers: Renderers = {
  remember: renderRemember,
  recall: renderRecall,
  recall_dreams: renderDreams,
  believe: renderBelieve,
  revise: renderRevise,
  evidence: renderEvidence,
  evidence_for: (output, style, config) => renderEvidenceFor(output, style, ratesOf(config)),
  beliefs: renderBeliefs,
  predict: renderPredict,
  resolve: renderResolve,
  predictions_open: renderPredictionsOpen,
  calibration: renderCalibration,
  flag: renderFlag,
  assess: renderAssess,
  state: renderState,
  note_about: renderNoteAbout,
  outside_views: renderOutsideViews,
  forget: renderForget,
}

/** An operation's output as text for people. */
export function render(name: string, output: unknown, view: { style: Style; config: Config }): string {
  // The key and the output come from the same operation; the list of operations erased that.
  const renderer = renderers[name as keyof typeof definitions] as (
    output: unknown,
    style: Style,
    config: Config,
  ) => string
  return renderer(output, view.style, view.config)
}
