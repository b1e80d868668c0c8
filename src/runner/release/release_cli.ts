/** `release-cli create` within a job: creates a release with the job's token, from the flags of the `release:` step. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const

/** The body of `POST /projects/:id/releases`, from the arguments of the command line. @throws Error for an unknown argument */
export async function releaseFrom(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Promise<object> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: text,
      description: text,
      'tag-name': text,
      ref: text,
      'released-at': text,
      milestone: texts,
      'assets-link': texts,
    },
  })
  if (positionals.length !== 1 || positionals[0] !== 'create') throw new Error('the only command is `create`')
  const { description } = values
  const tag = values['tag-name'] ?? environment.CI_COMMIT_TAG
  if (!tag) throw new Error('--tag-name is needed where the pipeline is not of a tag')
  const links = (values['assets-link'] ?? []).map(link => JSON.parse(link) as object)
  return {
    tag_name: tag,
    ref: values.ref ?? environment.CI_COMMIT_SHA,
    ...(values.name !== undefined && { name: values.name }),
    // A description may be the name of a file.
    ...(description !== undefined && { description: await readFile(description, 'utf8').catch(() => description) }),
    ...(values['released-at'] !== undefined && { released_at: values['released-at'] }),
    ...(values.milestone && { milestones: values.milestone }),
    ...(links.length > 0 && { assets: { links } }),
  }
}

/** Creates the release; returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  // biome-ignore lint/style/noProcessEnv: a program of its own, within a job
  const environment = process.env
  try {
    const release = await releaseFrom(args, environment)
    const answer = await fetch(`${environment.CI_API_V4_URL}/projects/${environment.CI_PROJECT_ID}/releases`, {
      method: 'POST',
      headers: { 'job-token': environment.CI_JOB_TOKEN ?? '', 'content-type': 'application/json' },
      body: JSON.stringify(release),
    })
    const said = await answer.text()
    if (answer.status !== 201) throw new Error(`the release was refused with ${answer.status}: ${said}`)
    process.stdout.write(`Release created: ${(JSON.parse(said) as { tag_name: string }).tag_name}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`release-cli: ${(error as Error).message}\n`)
    return 1
  }
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
