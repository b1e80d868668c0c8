/**
 * The formulas of a rendered text, set as MathML in a thread, within bounds. What cannot be set is shown as its source with the reason. The rendered
 * HTML is sanitised: a formula looks as `collaboration/markdown` writes it, and has no elements in it.
 */
import { TextCache } from '../../collaboration/markdown/text_cache.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { html } from '../../platform/pages/html.ts'
import { KeptThread } from '../../platform/threads/kept_thread.ts'
import { WorkTooLarge } from '../../platform/threads/threaded_work.ts'
import type { Formula, SetFormula } from './thread.ts'

/** Milliseconds that the formulas of one text may take. The thread itself ends before, unless one formula keeps it. */
const TIMEOUT = 4_000

/** A page has many texts, and does not wait long for those of others: it shows the sources. */
const thread = new KeptThread<readonly Formula[], readonly SetFormula[]>(new URL('./thread.ts', import.meta.url), {
  memory: 256,
  waiting: 200,
  patience: 5_000,
})

/** Characters of HTML that are kept. */
const KEPT = 16 * 1024 * 1024
const kept = new TextCache<string>(KEPT, shown => shown.length)

const formula =
  /<code class="code math js-render-math" data-math-style="inline">([^<]*)<\/code>|<pre class="code math js-render-math"[^<>]*><code>([^<]*)<\/code><\/pre>/g

const characters: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
const unescaped = (text: string): string => text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, entity => characters[entity] as string)

/** A text with its formulas set. */
export async function withFormulas(rendered: string): Promise<string> {
  const formulas = [...rendered.matchAll(formula)].map(([, inLine, block]): Formula => {
    return { source: unescaped(block ?? inLine ?? '').trim(), isDisplayed: block !== undefined }
  })
  if (formulas.length === 0) return rendered
  const shownWith = (set: readonly SetFormula[]) => {
    let index = 0
    return rendered.replaceAll(formula, () => shown(formulas[index] as Formula, set[index++] as SetFormula))
  }
  try {
    return await kept.get([rendered], async () => shownWith(await setInThread(formulas)))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Too many wait for the thread: another time they are set.
    return shownWith(formulas.map(() => ({ reason: 'too much is to be set now' })))
  }
}

/** @throws Refusal where too many wait for the thread */
async function setInThread(formulas: readonly Formula[]): Promise<readonly SetFormula[]> {
  try {
    return await thread.run(formulas, TIMEOUT)
  } catch (error) {
    if (!(error instanceof WorkTooLarge)) throw error
    return formulas.map(() => ({ reason: 'the formulas of this text take too long' }))
  }
}

function shown({ source, isDisplayed }: Formula, set: SetFormula): string {
  if ('math' in set) return isDisplayed ? `<div class="formula" tabindex="0" role="group" aria-label="Formula">${set.math}</div>` : set.math
  const hint = html`<small class="formula-hint">This formula is not set: ${set.reason}</small>`
  return isDisplayed
    ? html`<pre class="code" tabindex="0" data-language="math"><code>${source}</code></pre><p>${hint}</p>`.text
    : html`<code>${source}</code> ${hint}`.text
}

/** Ends the thread. */
export const stopSettingFormulas = (): void => thread.stop()
