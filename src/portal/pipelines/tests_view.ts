/** What the tests of a pipeline reported: suites, and in each the failed cases first. Pure. */
import type { FailingSince, FailingSinceOf } from '../../ci/reports/failing_since.ts'
import { isFailure } from '../../ci/reports/junit.ts'
import type { TestSuite } from '../../ci/reports/test_reports.ts'
import { chip, type Tone } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'

interface Counts {
  readonly total_time: number
  readonly total_count: number
  readonly success_count: number
  readonly failed_count: number
  readonly skipped_count: number
  readonly error_count: number
}

interface Case {
  readonly status: 'success' | 'failed' | 'skipped' | 'error'
  readonly name: string
  readonly classname: string | null
  readonly file: string | null
  readonly execution_time: number
  readonly system_output: string | null
  readonly stack_trace: string | null
  /** What a failure says in short, where its text does not. */
  readonly message?: string | undefined
  readonly since?: FailingSince | undefined
}

/** The JSON of a test report. */
export interface ShownReport extends Counts {
  readonly test_suites: readonly (Counts & {
    readonly name: string
    readonly suite_error: string | null
    readonly test_cases: readonly Case[]
  })[]
}

/** A report with what the API leaves out: the messages of failures that have a text, and since when each fails. The suites are those that it was made from. */
export const withMore = (report: ShownReport, suites: readonly Pick<TestSuite, 'cases'>[], sinceOf: FailingSinceOf): ShownReport => ({
  ...report,
  test_suites: report.test_suites.map((suite, at) => ({
    ...suite,
    test_cases: suite.test_cases.map((shown, index) => ({
      ...shown,
      message: suites[at]?.cases[index]?.message,
      since: isFailure(shown) ? sinceOf(suite.name, shown) : undefined,
    })),
  })),
})

/** Cases of a suite that are shown. */
const MOST_CASES = 500

/** Characters of a case's output. */
const MOST_OUTPUT = 10_000

const ranks: Readonly<Record<Case['status'], readonly [rank: number, word: string, tone: Tone]>> = {
  failed: [0, 'Failed', 'danger'],
  error: [1, 'Error', 'danger'],
  skipped: [2, 'Skipped', 'plain'],
  success: [3, 'Passed', 'success'],
}

/** @param pipelines the address of the project's pipelines */
export function reportView(pipelines: string, { test_suites: suites, ...counts }: ShownReport): Html {
  if (suites.length === 0)
    return empty({
      icon: 'checklist',
      title: 'No test reports',
      says: html`A job reports its tests with <code>artifacts: reports: junit:</code> in the CI file.`,
    })
  return html`<p class="row">${countsView(counts)}</p>${suites.map(
    suite => html`
<details class="panel suite"${suite.failed_count + suite.error_count > 0 && html` open`}><summary class="row apart"><h2>${suite.name}</h2><span class="row">${countsView(suite)}</span></summary>${suite.suite_error !== null && html`<p class="notice danger">${icon('alert')}<span>${suite.suite_error}</span></p>`}
<ul class="list" data-list>${[...suite.test_cases]
      .sort((a, b) => ranks[a.status][0] - ranks[b.status][0])
      .slice(0, MOST_CASES)
      .map(shown =>
        caseView(pipelines, shown),
      )}</ul>${suite.test_cases.length > MOST_CASES && html`<p class="body muted">And ${suite.test_cases.length - MOST_CASES} more.</p>`}</details>`,
  )}`
}

const countsView = ({ total_count, failed_count, error_count, skipped_count, total_time }: Counts): Html =>
  html`<span>${total_count} ${total_count === 1 ? 'test' : 'tests'}</span>${failed_count + error_count > 0 ? chip(`${failed_count + error_count} failed`, 'danger', 'x-circle') : chip('All passed', 'success', 'check-circle')}${skipped_count > 0 && chip(`${skipped_count} skipped`)}<span class="muted">${total_time.toFixed(2)} s</span>`

function caseView(pipelines: string, shown: Case): Html {
  const { status, name, classname, file, execution_time, system_output, stack_trace, message, since } = shown
  const [, word, tone] = ranks[status]
  const output = [message, system_output, stack_trace].filter(text => text).join('\n')
  return html`
<li><div class="status-cell">${chip(word, tone)}</div><div class="main"><div class="title">${name} ${since?.count === 1 && chip('New failure', 'attention')}</div><div class="facts">${classname !== null && html`<span>${classname}</span>`}${file !== null && html`<span class="mono">${file}</span>`}<span>${execution_time.toFixed(3)} s</span>${since && since.count > 1 && html`<span>fails ${since.isOpen && 'at least '}since <a href="${pipelines}/${since.first.id}">#${since.first.id}</a>, ${time(since.first.created_at)}, in ${since.count} pipelines in a row</span>`}</div>${output !== '' && html`<details${status !== 'success' && html` open`}><summary class="small">Output</summary><pre class="output">${output.slice(0, MOST_OUTPUT)}${output.length > MOST_OUTPUT && '\n…'}</pre></details>`}</div></li>`
}
