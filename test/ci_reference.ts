/** The tables of the handbook's CI reference, from the words that the reader's keys have. */
import assert from 'node:assert/strict'
import { fileKeys, jobKeys, type Keys, variableKeys } from '../src/ci/config/index.ts'
import { predefinedKeys } from '../src/ci/job_variables/predefined.ts'
import { variableWords } from '../src/ci/job_variables/variable_words.ts'
import { variablesOf } from '../src/runner/index.ts'

/** Code in a cell of a table. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``).replaceAll('|', '\\|')

const uses = { ignored: ' Read, and has no effect.', refused: ' Refused.' } as const

const table = (keys: Keys): string =>
  `| Key | What it does | Example |\n| --- | --- | --- |\n${Object.entries(keys)
    .map(([key, { says, example, values, beside, use }]) => {
      const written = `${key}: ${example}`
      return `| ${code(key)} | ${says.replaceAll('|', '\\|')}${values ? ` One of ${values.map(code).join(', ')}.` : ''}${beside ? ` Stands beside ${code(beside)}.` : ''}${use ? uses[use] : ''} | ${code(written)} |\n`
    })
    .join('')}`

/** A table for the file, for a job, and for every map below them, each once. */
export function ciReference(): string {
  const seen = new Set<Keys>()
  const sections: string[] = []
  function below(keys: Keys, within: string): void {
    for (const [key, { keys: inner }] of Object.entries(keys)) {
      if (!inner || seen.has(inner)) continue
      seen.add(inner)
      sections.push(`\n## ${within}${key}\n\n${table(inner)}`)
      below(inner, `${within}${key}:`)
    }
  }
  below(jobKeys, '')
  below(fileKeys, '')
  return `\n## The file\n\n${table(fileKeys)}\n## A job\n\n${table(jobKeys)}${sections.join('')}\n## variables\n\n${table(variableKeys)}\n`
}

/** A job without variables: the runner's own are left. */
const runnerKeys = (): string[] =>
  variablesOf({ id: 1, token: '' } as Parameters<typeof variablesOf>[0], {
    directory: '/',
    builds: '/',
    project: '/',
    temporary: '/',
    slot: 0,
  }).map(({ key }) => key)

/** The variables that a job is given without being asked to. Each has words, and there are no others. */
export function variablesTable(): string {
  const given = new Set([...predefinedKeys, 'CI_ENVIRONMENT_URL', ...runnerKeys(), 'CI_JOB_STATUS'])
  assert.deepEqual(
    [...given.symmetricDifference(new Set(Object.keys(variableWords)))],
    [],
    'you are here because a variable of jobs has no words, or words have no variable: correct src/ci/job_variables/variable_words.ts',
  )
  return `| Variable | What it is |\n| --- | --- |\n${Object.entries(variableWords)
    .map(([key, says]) => `| \`${key}\` | ${says} |\n`)
    .join('')}`
}
