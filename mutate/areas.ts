/** The parts of the program whose tests are tried. */

export interface Area {
  readonly name: string
  /** Folders and files with the sources, from the root of the project. */
  readonly sources: readonly string[]
  /** Folders and files of the tests that should notice a mutant: those of the sources, and of what uses them most. */
  readonly tests: readonly string[]
}

/** Written by a command, or run in a process of its own, where no mutant comes to. */
export const NOT_MUTATED: readonly RegExp[] = [
  /^src\/platform\/db\/schema\.ts$/,
  /^src\/platform\/db\/(embedded|migrating|migrations)\//,
  /^src\/platform\/kernel\/openapi\//,
]

/** Tests that measure what something costs: coverage alone makes them fail. */
export const NOT_RUN = /\/(cost|memory|large\w*)\.test\.ts$/

export const areas: readonly Area[] = [
  {
    name: 'kernel',
    sources: ['src/platform/kernel'],
    tests: ['src/platform/kernel', 'src/planning/issues/issues.test.ts', 'src/spaces/projects/projects.test.ts', 'test/contract.test.ts'],
  },
  { name: 'db', sources: ['src/platform/db'], tests: ['src/platform/db', 'src/platform/events', 'src/planning/issues/issues.test.ts'] },
  {
    name: 'access',
    sources: ['src/platform/access'],
    tests: ['src/platform/access', 'src/spaces/tokens', 'src/spaces/members', 'src/identity/sessions', 'src/ci/job_token_scope'],
  },
  {
    name: 'processing',
    sources: ['src/ci/pipeline_processing'],
    tests: ['src/ci/pipeline_processing', 'src/ci/jobs', 'src/ci/pipeline_actions', 'src/ci/downstream'],
  },
  {
    name: 'merging',
    sources: ['src/review/merge_requests/merging'],
    tests: ['src/review/merge_requests/merging', 'src/review/approvals'],
  },
]
