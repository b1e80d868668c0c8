/** Compares the test reports of two pipelines: what fails newly, what still fails, and what was fixed (unit test reports at 14.0). */
import { ImmutableCache } from '../../platform/git/index.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { isFailure, type TestCase } from './junit.ts'
import { type ReportArtifact, reportsOfPipelines, suitesFrom, type TestSuite } from './test_reports.ts'

/** A test that differs, or still fails. */
export interface ComparedCase {
  readonly suite: string
  readonly name: string
  readonly classname: string | null
  readonly file: string | null
  /** What the failure says; of a fixed test nothing. */
  readonly output: string | null
}

/** Of a kind of tests: how many, and the first few. */
export interface ComparedCases {
  readonly count: number
  readonly first: readonly ComparedCase[]
}

export interface TestComparison {
  /** All tests of the head, and those that fail. */
  readonly total: number
  readonly failed: number
  readonly newlyFailed: ComparedCases
  readonly stillFailing: ComparedCases
  readonly fixed: ComparedCases
  /** Reports that could not be read: the suite, and why. */
  readonly errors: readonly { readonly suite: string; readonly says: string }[]
}

/** Tests of a kind that are kept, and characters of what one says. */
const MOST_CASES = 50
const MOST_OUTPUT = 4_000

const keyOf = ({ classname, name }: TestCase): string => `${classname ?? ''}\0${name}`

/** Compares suites of the same name, test by test: a test is the same by its class and name. Pure. */
export function compareSuites(head: readonly TestSuite[], base: readonly TestSuite[]): TestComparison {
  const [newlyFailed, stillFailing, fixed] = [new Cases(), new Cases(), new Cases()]
  let [total, failed] = [0, 0]
  for (const suite of head) {
    const before = base.find(({ name }) => name === suite.name)?.cases ?? []
    const failedBefore = new Set(before.filter(isFailure).map(keyOf))
    for (const testCase of suite.cases) {
      total++
      if (isFailure(testCase)) {
        failed++
        const cases = failedBefore.has(keyOf(testCase)) ? stillFailing : newlyFailed
        cases.add(suite.name, testCase)
      } else if (testCase.status === 'success' && failedBefore.has(keyOf(testCase))) fixed.add(suite.name, testCase)
    }
  }
  const errors = head.flatMap(({ name, suite_error }) => (suite_error === null ? [] : [{ suite: name, says: suite_error }]))
  return { total, failed, newlyFailed, stillFailing, fixed, errors }
}

class Cases implements ComparedCases {
  count = 0
  readonly first: ComparedCase[] = []

  add(suite: string, { name, classname, file, system_output, status }: TestCase): void {
    this.count++
    if (this.first.length === MOST_CASES) return
    const output = status === 'success' ? null : (system_output?.slice(0, MOST_OUTPUT) ?? null)
    this.first.push({ suite, name, classname, file, output })
  }
}

/** By the ids of the reports, which never change. */
const comparisons = new ImmutableCache<TestComparison>(200)

/** The pipelines that are compared, with their projects. */
export interface Compared {
  readonly head: { readonly project: ProjectWithRole; readonly pipelineId: number }
  readonly base: { readonly project: ProjectWithRole; readonly pipelineId: number } | undefined
}

/** Compares the reports of two pipelines; undefined if the head has none. Reports are read once, and the result is kept. */
export async function compareTests(
  ctx: Pick<Context, 'db' | 'actor'> & { readonly deps: Pick<Deps, 'objects'> },
  { head, base }: Compared,
): Promise<TestComparison | undefined> {
  const reportsOf = async (of: Compared['base']): Promise<readonly ReportArtifact[]> =>
    of ? ((await reportsOfPipelines(ctx, of.project, [of.pipelineId])).get(of.pipelineId) ?? []) : []
  const [ofHead, ofBase] = await Promise.all([reportsOf(head), reportsOf(base)])
  if (ofHead.length === 0) return undefined
  const ids = (rows: readonly ReportArtifact[]) => rows.map(({ sha256, job_name }) => `${sha256} ${job_name}`).join()
  return comparisons.get(JSON.stringify([ids(ofHead), ids(ofBase)]), async () =>
    compareSuites(await suitesFrom(ctx, ofHead, true), await suitesFrom(ctx, ofBase, true)),
  )
}
