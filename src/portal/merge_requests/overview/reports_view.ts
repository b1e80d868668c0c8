/** The part of the merge box about reports: tests, code quality, and artifacts that jobs expose. Pure. */
import type { Severity } from '../../../ci/reports/lines/code_quality.ts'
import type { ShownFinding } from '../../../ci/reports/lines/queries.ts'
import type { ComparedCase, ComparedCases, TestComparison } from '../../../ci/reports/test_comparison.ts'
import { chip, type Tone } from '../../../platform/pages/components/chip.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { revisionPage } from '../../repository/addresses.ts'
import type { MergeRequestReports, QualityReport } from './reports_data.ts'

/** Where findings lead to. */
export interface FindingPlace {
  readonly project: { readonly full_path: string }
  readonly head: string
  /** The commit where the change begins. */
  readonly base: string | undefined
}

const tones: Readonly<Record<Severity, Tone>> = { info: 'plain', minor: 'plain', major: 'attention', critical: 'danger', blocker: 'danger' }

/** `Major` */
export const severityChip = (severity: Severity): Html => chip(`${severity.charAt(0).toUpperCase()}${severity.slice(1)}`, tones[severity])

export function reportsView({ tests, testPage, quality, exposed, isCompared }: MergeRequestReports, place: FindingPlace): Html {
  return html`${tests && testsView(tests, testPage, isCompared)}${quality && qualityView(quality, place, isCompared)}${exposed.length > 0 && html`<div class="row">${icon('archive')}<span class="grow">Artifacts: ${exposed.map(({ name, job, href }, index) => html`${index > 0 && ', '}<a href="${href}" title="Of the job ${job}">${name}</a>`)}</span></div>`}`
}

const notCompared = html`<span class="muted small">The target branch has no pipeline for the commit where the change begins, so there is nothing to compare with.</span>`

/** `3 newly failed, 1 fixed`; what there is none of is not said. */
const countsOf = (counts: readonly (readonly [count: number, words: string])[]): string =>
  counts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`])).join(', ')

function testsView({ total, failed, newlyFailed, stillFailing, fixed, errors }: TestComparison, page: string, isCompared: boolean): Html {
  const counts = countsOf([
    [newlyFailed.count, isCompared ? 'newly failed' : 'failed'],
    [stillFailing.count, 'still failing'],
    [fixed.count, 'fixed'],
  ])
  const says = html`<strong>Tests: ${counts === '' ? `${total === 1 ? 'the one passed' : `all ${total} passed`}` : counts}</strong>${counts !== '' && html` <span class="muted">of ${total}</span>`}`
  const groups = html`${errors.map(({ suite, says: why }) => html`<p class="notice danger">${icon('alert')}<span>${suite}: ${why}</span></p>`)}${casesView(isCompared ? 'Newly failed' : 'Failed', newlyFailed, page)}${casesView('Still failing', stillFailing, page)}${casesView('Fixed', fixed, page)}${!isCompared && failed > 0 && html`<p>${notCompared}</p>`}<p><a href="${page}">All tests of the pipeline</a></p>`
  return folded(failed > 0 || errors.length > 0 ? 'x-circle' : 'check-circle', says, groups, newlyFailed.count > 0)
}

/** A line of the box that opens. */
const folded = (name: 'x-circle' | 'check-circle' | 'alert' | 'clock', says: Html, content: Html, isOpen: boolean): Html =>
  html`<details class="report"${isOpen && html` open`}><summary class="row">${icon(name)}<span class="grow">${says}</span>${icon('chevron-down')}</summary><div class="report-body">${content}</div></details>`

function casesView(title: string, { count, first }: ComparedCases, page: string): Html | undefined {
  if (count === 0) return undefined
  return html`<h3>${title}</h3><ul class="plain-list report-list">${first.map(caseView)}</ul>${count > first.length && html`<p class="small"><a href="${page}">And ${count - first.length} more</a></p>`}`
}

function caseView({ suite, name, classname, file, output }: ComparedCase): Html {
  const facts = html`<span class="muted small">${[suite, classname ?? '', file ?? ''].filter(text => text !== '').join(' · ')}</span>`
  if (!output) return html`<li><span>${name}</span> ${facts}</li>`
  return html`<li><details><summary><span>${name}</span> ${facts}</summary><pre class="output" tabindex="0">${output}</pre></details></li>`
}

function qualityView(
  { newCount, fixedCount, fresh, fixed, isUnread, errors }: QualityReport,
  place: FindingPlace,
  isCompared: boolean,
): Html {
  if (isUnread) return html`<div class="row">${icon('clock')} The report of code quality is being read.</div>`
  const counts = countsOf([
    [newCount, isCompared ? 'new' : 'found'],
    [fixedCount, 'fixed'],
  ])
  const says = html`<strong>Code quality: ${counts === '' ? 'no changes' : counts}</strong>`
  const problems = errors.map(error => html`<p class="notice danger">${icon('alert')}<span>${error}</span></p>`)
  if (counts === '' && errors.length === 0) return html`<div class="row">${icon('check-circle')}<span>${says}</span></div>`
  const content = html`${problems}${findingsView(isCompared ? 'New' : 'Found', newCount, fresh, place.project, place.head)}${findingsView('Fixed', fixedCount, fixed, place.project, place.base)}${!isCompared && html`<p>${notCompared}</p>`}`
  return folded(newCount > 0 || errors.length > 0 ? 'alert' : 'check-circle', says, content, false)
}

function findingsView(
  title: string,
  count: number,
  findings: readonly ShownFinding[],
  project: FindingPlace['project'],
  commit: string | undefined,
): Html | undefined {
  if (count === 0) return undefined
  const where = ({ path, line }: ShownFinding) =>
    commit === undefined
      ? html`<span class="mono small">${path}:${line}</span>`
      : html`<a class="mono small" href="${revisionPage(project, 'blob', commit, path)}#L${line}">${path}:${line}</a>`
  return html`<h3>${title}</h3><ul class="plain-list report-list">${findings.map(finding => html`<li>${severityChip(finding.severity)} <span>${finding.description}</span>${finding.check_name !== null && html` <span class="muted small">${finding.check_name}</span>`} ${where(finding)}</li>`)}</ul>${count > findings.length && html`<p class="muted small">And ${count - findings.length} more.</p>`}`
}
