/** A CI file with all that it includes and extends, in one. Pure. */
import type { Examined } from '../../ci/lint/examine.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { findingsView, invalidView } from './findings_view.ts'

/** Characters that are shown. */
const MOST_SHOWN = 512 * 1024

/** @param yaml undefined where the file cannot be merged */
export function mergedView(examined: Examined, yaml: string | undefined): Html {
  if (yaml === undefined) return invalidView(examined)
  const shown = yaml.slice(0, MOST_SHOWN)
  return html`<div class="section">${examined.findings.length > 0 && findingsView(examined)}<p class="muted">The file as it is read: what it includes is merged, and anchors, <code>extends</code> and <code>!reference</code> are put in place.</p>
<section class="panel" aria-label="Full configuration"><header><span>${lines(yaml)}</span>${shown.length === yaml.length && copyButton('Copy the full configuration', yaml)}</header><pre class="code ci-merged" tabindex="0" dir="ltr">${shown}</pre></section>${shown.length < yaml.length && html`<p class="muted">Only its beginning is shown.</p>`}</div>`
}

function lines(yaml: string): string {
  const count = yaml.split('\n').length - 1
  return count === 1 ? '1 line' : `${count} lines`
}
