/** Issues from a CSV file: all of them, or none and a message for each line that is wrong. */
import { readFile } from 'node:fs/promises'
import { countQuickActions } from '../../../collaboration/quick_actions/interpret.ts'
import { createIssueWithQuickActions, issueWriting } from '../../../planning/issues/item_kind/quick_actions/with_quick_actions.ts'
import { milestonesMatching } from '../../../planning/milestones/queries.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { File, type Upload } from '../../../platform/kernel/declaration/types.ts'
import { invalid, Refusal } from '../../../platform/kernel/errors.ts'
import { csrfField, formEndpoint, pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { messagesOf } from '../../../platform/pages/forms/form.ts'
import { done, page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { planningPlace } from '../choices.ts'
import { type ImportedIssue, issuesOfCsv, MOST_ISSUES } from './csv_rows.ts'

/** Bytes of a file, and of a request with its framing. */
const MOST_BYTES = 5 * 1024 * 1024
const FRAMING = 64 * 1024

/** Quick actions of a file: all are carried out in one transaction, which other new issues wait for. */
const MOST_ACTIONS = 500

type Caller = Context & { readonly project: ProjectWithRole }

/** The ids of the milestones that the file names, by title. */
async function milestonesNamed({ db }: Context, project: ProjectWithRole, issues: readonly ImportedIssue[]): Promise<Map<string, number>> {
  const titles = [...new Set(issues.flatMap(({ milestone }) => milestone ?? []))]
  if (titles.length === 0) return new Map()
  const rows = await milestonesMatching(db, planningPlace(project), { include_parent_milestones: true })
    .where('milestones.title', '=', anyOf(titles))
    .execute()
  return new Map(rows.map(({ id, title }) => [title, id]))
}

async function importIssues(ctx: Caller, { file, size }: Upload): Promise<number> {
  if (size > MOST_BYTES) throw invalid({ file: [`is larger than ${MOST_BYTES / 1024 / 1024} MB`] })
  const read = issuesOfCsv(await readFile(file, 'utf8'))
  if ('wrong' in read) throw invalid({ file: [...read.wrong] })
  let actions = 0
  for (const { description } of read.issues) actions += await countQuickActions(issueWriting, description)
  if (actions > MOST_ACTIONS) throw invalid({ file: [`has ${actions} quick actions in its descriptions, at most ${MOST_ACTIONS}`] })
  const milestones = await milestonesNamed(ctx, ctx.project, read.issues)
  const unknown = read.issues.filter(({ milestone }) => milestone !== undefined && !milestones.has(milestone))
  if (unknown.length > 0) throw invalid({ file: unknown.map(({ line, milestone }) => `line ${line}: there is no milestone ${milestone}`) })
  for (const { line, title, description, due_date, milestone } of read.issues) {
    const given = { title, description, due_date, milestone_id: milestone === undefined ? undefined : milestones.get(milestone) }
    await createIssueWithQuickActions(ctx, ctx.project, given).catch(error => {
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      throw invalid({ file: [`line ${line}: ${messagesOf(error, []).alert ?? 'is refused'}`] })
    })
  }
  return read.issues.length
}

const listOf = (project: ProjectWithRole): string => projectPath(project, '/-/issues')

function formView(ctx: Caller, wrong: readonly string[]): Html {
  const list = listOf(ctx.project)
  return html`<p>The first line of the file names its columns: <code>title</code>, and of <code>description</code>, <code>due_date</code> and <code>milestone</code> what there is; other columns are ignored. Values are separated by commas, semicolons or tabs. Quick actions in descriptions are carried out. A file makes up to ${MOST_ISSUES} issues, of which you are the author: all of them, or none if one of its lines is wrong.</p>
${wrong.length > 0 && html`<div class="notice danger" role="alert"><div><p class="strong">Nothing was imported.</p><ul>${wrong.map(line => html`<li>The file: ${line}</li>`)}</ul></div></div>`}
<form method="post" action="${list}/import" enctype="multipart/form-data">${csrfField(ctx)}<div class="field"><label for="field-file">CSV file</label><input type="file" id="field-file" name="file" accept=".csv,.tsv,text/csv" required${wrong.length > 0 && html` aria-invalid="true"`}></div>
<div class="row"><button class="btn btn-primary">Import</button><a class="btn" href="${list}">Cancel</a></div></form>`
}

const importPage = (ctx: Caller, wrong: readonly string[]) =>
  page(ctx, {
    title: 'Import issues',
    place: projectPlace(ctx.actor, ctx.project, 'issues'),
    width: 'medium',
    ...(wrong.length > 0 ? { status: 422 } : {}),
    body: formView(ctx, wrong),
  })

export const showImport = pageEndpoint({
  route: 'GET /:project_path/-/issues/import',
  summary: 'Show the form that imports issues from a CSV file',
  scope: inProjectPage,
  can: 'import_issues',
  run: ctx => importPage(ctx, []),
})

/** Messages of a refusal that are shown. */
const MOST_MESSAGES = 100

export const submitImport = formEndpoint({
  route: 'POST /:project_path/-/issues/import',
  summary: 'Import issues from a CSV file',
  scope: inProjectPage,
  can: 'import_issues',
  bodyLimit: MOST_BYTES + FRAMING,
  params: { file: File({ description: 'The CSV file', examples: ['@issues.csv'] }) },
  errors: ['not_found', 'conflict'],
  async run(ctx) {
    const count = await importIssues(ctx, ctx.params.file)
    return done(ctx, `${listOf(ctx.project)}?state=all`, count === 1 ? 'One issue was imported.' : `${count} issues were imported.`)
  },
  refused(ctx, refusal) {
    const { wrong, alert } = messagesOf(refusal, [{ name: 'file' }])
    const lines = wrong.file ?? [alert ?? 'cannot be read']
    const more = lines.length - MOST_MESSAGES
    return importPage(ctx, more > 0 ? [...lines.slice(0, MOST_MESSAGES), `and ${more} more lines are wrong`] : lines)
  },
})
