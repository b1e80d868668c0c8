/** A CI file with all that it includes and extends, in one. Pure. */
import type { Examined } from '../../ci/lint/examine.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { findingsView, invalidView } from './findings_view.ts'

/** A merged file. */
export interface ShownYaml {
  readonly yaml: string
  /** Its lines, highlighted; not all of them where `isCut`. */
  readonly lines: readonly Html[]
  readonly isCut: boolean
}

/** @param merged undefined where the file cannot be merged */
export function mergedView(examined: Examined, merged: ShownYaml | undefined): Html {
  if (merged === undefined) return invalidView(examined)
  const { yaml, lines, isCut } = merged
  return html`<div class="section">${examined.findings.length > 0 && findingsView(examined)}<p class="muted">The file as it is read: what it includes is merged, and anchors, <code>extends</code> and <code>!reference</code> are put in place.</p>
<section class="panel" aria-label="Full configuration"><header><span>${countOf(yaml)}</span>${!isCut && copyButton('Copy the full configuration', yaml)}</header><pre class="code ci-merged" tabindex="0" dir="ltr">${lines.map(line => html`${line}\n`)}</pre></section>${isCut && html`<p class="muted">Only its beginning is shown.</p>`}</div>`
}

function countOf(yaml: string): string {
  const count = yaml.split('\n').length - 1
  return count === 1 ? '1 line' : `${count} lines`
}
