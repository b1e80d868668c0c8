/** What reports of a merge request's pipeline say of the lines of its diff: which of them ran, and what is wrong with them. */
import {
  coverageOfFiles,
  lineReportsOf,
  newFindingsIn,
  type ReportOfPipeline,
  type ShownFinding,
} from '../../../ci/reports/lines/queries.ts'
import type { DiffEntry, DiffLine } from '../../../platform/git/index.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { DiffExtras } from '../../repository/diffs/file_view.ts'
import type { LineMark } from '../../repository/diffs/lines/lines_view.ts'
import type { ShownEntry } from '../../repository/diffs/load.ts'
import { comparedPipelines } from '../overview/compared_pipelines.ts'
import { severityChip } from '../overview/reports_view.ts'
import type { Caller } from '../page.ts'

/** Findings that a page of a diff shows. */
const MOST_FINDINGS = 500

/** What is known of the lines of a page of a diff. */
export interface LineMarks {
  readonly coverage: ReadonlyMap<string, ReadonlyMap<number, number>>
  readonly findings: ReadonlyMap<string, readonly ShownFinding[]>
}

/** The marks on these files as the newest commit has them; undefined where nothing was reported. A fixed number of statements. */
export async function lineMarksOf(ctx: Caller, entries: readonly ShownEntry[]): Promise<LineMarks | undefined> {
  const compared = await comparedPipelines(ctx)
  if (!compared) return undefined
  const { head, base } = compared
  const reports = await lineReportsOf(ctx, { project: head.project, pipelineIds: [head.pipelineId] }, ['cobertura', 'codequality'])
  if (reports.length === 0) return undefined
  const before = base ? await lineReportsOf(ctx, { project: base.project, pipelineIds: [base.pipelineId] }, ['codequality']) : []
  const paths = entries.map(({ new_path }) => new_path)
  const idsOf = (type: ReportOfPipeline['file_type'], of: readonly ReportOfPipeline[]) =>
    of.filter(({ file_type }) => file_type === type).map(({ artifact_id }) => artifact_id)
  const [coverage, findings] = await Promise.all([
    coverageOfFiles(ctx.db, idsOf('cobertura', reports), paths),
    newFindingsIn(ctx.db, idsOf('codequality', reports), idsOf('codequality', before), paths, MOST_FINDINGS),
  ])
  return { coverage, findings: Map.groupBy(findings, ({ path, line }) => `${line} ${path}`) }
}

/** The extras of a diff with the marks among them. Pure. */
export function withLineMarks(extras: DiffExtras, { coverage, findings }: LineMarks): DiffExtras {
  return {
    ...extras,
    markOf: (entry, line) => coverageMark(coverage, entry, line),
    belowLine(entry, line) {
      const found = line.new_line === null ? undefined : findings.get(`${line.new_line} ${entry.new_path}`)
      const below = extras.belowLine?.(entry, line)
      return found ? html`${findingsView(found)}${below}` : below
    },
    aboveLines: entry => html`${coverageSummary(coverage, entry)}${extras.aboveLines?.(entry)}`,
  }
}

function coverageMark(coverage: LineMarks['coverage'], { new_path }: DiffEntry, { new_line }: DiffLine): LineMark | undefined {
  const hits = new_line === null ? undefined : coverage.get(new_path)?.get(new_line)
  if (hits === undefined) return undefined
  return hits === 0
    ? { kind: 'not-covered', says: 'Not covered by tests' }
    : { kind: 'covered', says: `Covered by tests: ran ${hits === 1 ? 'once' : `${hits} times`}` }
}

/** What the marks beside the lines of a file mean, and how many of the added lines are covered. */
function coverageSummary(coverage: LineMarks['coverage'], entry: ShownEntry): Html | undefined {
  const lines = coverage.get(entry.new_path)
  if (!lines || entry.deleted_file) return undefined
  const ran = [...lines.values()].filter(hits => hits > 0).length
  return html`<p class="coverage-summary small muted">Test coverage of the file: ${ran} of ${lines.size} lines. <span class="coverage-key covered"></span> covered, <span class="coverage-key not-covered"></span> not covered; a line without a mark has no data.</p>`
}

const findingsView = (findings: readonly ShownFinding[]): Html =>
  html`<div class="line-findings" role="group" aria-label="Code quality">${findings.map(({ severity, description, check_name }) => html`<div class="line-finding">${severityChip(severity)} <span>${description}</span>${check_name !== null && html` <span class="muted small mono">${check_name}</span>`}</div>`)}</div>`
