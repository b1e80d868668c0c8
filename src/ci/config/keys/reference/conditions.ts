/** The keys that say when a job is part of a pipeline. */
import { type Keys, type KeyWords, yesOrNo } from './words.ts'

/** `when` of a job. */
const whens = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const

/** The conditions that `rules`, `workflow:rules` and `include:rules` share. */
export const conditions = {
  if: {
    says: 'An expression of variables: `==`, `!=`, `=~`, `!~` with a pattern between slashes, `&&`, `||`, and parentheses.',
    example: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH',
  },
  changes: {
    says: 'Files of which one has changed with the push or in the merge request; `*` and `**` match several.',
    example: '[src/**/*]',
    keys: { paths: { says: 'The files.', example: '[src/**/*]' } },
  },
  exists: { says: 'Files of which one is in the repository; `*` and `**` match several.', example: '[Dockerfile]' },
} as const satisfies Keys

export const start_in: KeyWords = { says: 'With `when: delayed`: how long the job waits, at most a week.', example: '30 minutes' }

export const when: KeyWords = {
  says: 'When the job runs: once all before it has passed, once something has failed, in either case, when a person starts it, or after a delay.',
  example: 'manual',
  values: whens,
}

const policy = (says: string): KeyWords => ({
  says,
  example: '{refs: [main]}',
  keys: {
    refs: {
      says: 'Branches, tags, patterns between slashes, or words such as `branches`, `tags` and `merge_requests`.',
      example: '[main, tags]',
    },
    variables: { says: 'Expressions of variables; one must be true.', example: '[$RELEASE == "yes"]' },
    changes: { says: 'Files of which one must have changed.', example: '[src/**/*]' },
    kubernetes: { says: 'True where the project has a cluster for every environment.', example: 'active', values: ['active'] },
  },
})

export const only = policy('Where the job runs: names of branches or tags, or a map of conditions. `rules` say more.')
export const except = policy('Where the job does not run, as in `only`.')

/** `rules` of a job; `variables` is that of jobs. */
export const rulesOf = (variables: KeyWords): KeyWords => ({
  says: 'Whether and how the job is in a pipeline: the first rule that applies decides; where none does, the job is left out. Not with `only` and `except`.',
  example: '[{if: $CI_COMMIT_TAG}, {when: manual}]',
  keys: {
    ...conditions,
    when: { ...when, values: [...whens, 'never'] },
    allow_failure: yesOrNo('Whether the pipeline passes when the job fails.'),
    start_in,
    variables,
  },
})
