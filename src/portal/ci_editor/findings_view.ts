/** What is wrong with a CI file, by its lines. Pure. */
import type { Examined } from '../../ci/lint/examine.ts'
import type { Finding } from '../../ci/lint/findings.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { withCode } from '../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** Messages that are listed. */
const MOST_LISTED = 100

/** The findings in a file, or that there are none. The editor's script reads the lines from it. */
export const findingsView = ({ findings, jobs }: Pick<Examined, 'findings' | 'jobs'>): Html =>
  html`${verdict(findings, jobs)}${findings.length > 0 && html`<ul class="list ci-findings">${findings.slice(0, MOST_LISTED).map(item)}</ul>`}${findings.length > MOST_LISTED && html`<p class="muted small">and ${findings.length - MOST_LISTED} more.</p>`}`

function verdict(findings: readonly Finding[], jobs: number | undefined): Html {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return errors > 0
    ? html`<p class="ci-verdict danger">${icon('x-circle')} <strong>The file is invalid.</strong> ${errors === 1 ? 'One error' : `${errors} errors`}, and no pipeline.</p>`
    : html`<p class="ci-verdict success">${icon('check-circle')} <strong>The file is valid.</strong>${jobs !== undefined && ` It has ${jobs === 1 ? 'one job' : `${jobs} jobs`}.`}</p>`
}

const item = ({ severity, message, line, hint }: Finding): Html =>
  html`<li data-finding="${severity}"${line !== undefined && html` data-line="${line}"`}>${severity === 'error' ? html`<span class="status-icon danger">${icon('x-circle', 'Error')}</span>` : html`<span class="status-icon attention">${icon('alert', 'Warning')}</span>`}<div class="main"><span data-message dir="auto">${message}${hint !== undefined && html`. <strong>${withCode(hint)}</strong>`}</span></div>${line !== undefined && html`<span class="muted small" data-go>Line ${line}</span>`}</li>`

/** What a tab shows of a file that is invalid. */
export const invalidView = (examined: Pick<Examined, 'findings' | 'jobs'>): Html =>
  html`<div class="section">${findingsView(examined)}</div>`

/** Warnings above what a tab shows of a file that is valid. */
export const warningsView = ({ findings }: Pick<Examined, 'findings'>): Html | undefined =>
  findings.length === 0 ? undefined : html`<ul class="list ci-findings">${findings.slice(0, MOST_LISTED).map(item)}</ul>`
