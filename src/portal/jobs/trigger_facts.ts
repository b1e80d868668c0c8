/** What a triggered pipeline was triggered by and with. */
import { isOwnRun } from '../../ci/own.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { variablesOfPipeline } from '../../ci/pipelines/variables.ts'
import { type TriggerRow, triggersOf } from '../../ci/triggers/queries.ts'
import { idsOf, type SummaryRow, usersById } from '../../identity/users/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { pipelinePath } from '../pipelines/scope.ts'

/** Variables whose keys are listed. */
const MOST_KEYS = 100

export interface TriggerFacts {
  /** The token; undefined where it is deleted, or the pipeline was triggered by the token of a job. */
  readonly trigger: Pick<TriggerRow, 'id' | 'description'> | undefined
  /** Whom the token belongs to. */
  readonly owner: Pick<SummaryRow, 'name' | 'username'> | undefined
  /** The keys of its variables. */
  readonly keys: readonly string[]
  /** The page of the tokens, for callers who manage them: the description is for these alone. */
  readonly triggersPage: string | undefined
  /** The page of the values, for callers who may read them. */
  readonly valuesPage: string | undefined
}

/** The facts about a pipeline that was triggered; undefined for others. Two statements, and one for the owner. */
export async function triggerFactsOf(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  project: ProjectWithRole,
  pipeline: PipelineRow,
): Promise<TriggerFacts | undefined> {
  const { id, trigger_id, source, user_id } = pipeline
  if (trigger_id === null && source !== 'trigger') return undefined
  const [trigger, rows] = await Promise.all([
    trigger_id === null ? undefined : triggersOf(db, project.id).where('id', '=', trigger_id).executeTakeFirst(),
    variablesOfPipeline(db, id).clearSelect().select('key').limit(MOST_KEYS).execute(),
  ])
  const owners = trigger && (await usersById(db, idsOf([trigger], 'owner_id')))
  const own = isOwnRun(actor, project, user_id)
  const may = (ability: Ability) => allows(actor, ability, { ...projectSubject(project), own }) === 'yes'
  return {
    trigger,
    owner: trigger?.owner_id == null ? undefined : owners?.get(trigger.owner_id),
    keys: rows.map(({ key }) => key),
    triggersPage: may('admin_triggers') ? projectPath(project, '/-/triggers') : undefined,
    valuesPage: may('read_pipeline_variable') ? pipelinePath(project, pipeline, '/variables') : undefined,
  }
}

/** The facts beside a job. Pure. */
export function triggerView({ trigger, owner, keys, triggersPage, valuesPage }: TriggerFacts): Html {
  const name = trigger && `${trigger.description || 'Token'} (#${trigger.id})`
  return html`<section class="section"><h2>Trigger</h2><dl class="facts-list">${
    triggersPage !== undefined && name !== undefined && html`<dt>Token</dt><dd><a href="${triggersPage}">${name}</a></dd>`
  }${owner && html`<dt>Owner</dt><dd><a href="/${owner.username}">${owner.name}</a></dd>`}${
    keys.length > 0 && html`<dt>Variables</dt><dd>${keys.map(key => html`<div class="mono">${key}</div>`)}</dd>`
  }</dl>${trigger === undefined && html`<p class="small muted">It was triggered by a token that is gone, or by a job.</p>`}${
    keys.length > 0 && valuesPage !== undefined && html`<p class="small"><a href="${valuesPage}">See the values</a></p>`
  }</section>`
}
