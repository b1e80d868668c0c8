/** Applying suggestions on the pages of a merge request: one by its button, or several by one commit. */
import Type from 'typebox'
import type { Position } from '../../collaboration/notes/positions/position.ts'
import { isAppliable, Suggestion } from '../../collaboration/suggestions/entity.ts'
import { openSuggestions, suggestionsById } from '../../collaboration/suggestions/queries.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { badRequest, notFound } from '../../platform/kernel/errors.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { csrfField, formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { applySuggestions } from '../../review/suggestions/commands.ts'
import { frameOf } from '../merge_requests/comments.ts'
import { type Caller, pageOf, shownOf } from '../merge_requests/page.ts'
import { besideChanges } from '../merge_requests/review/addresses.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../merge_requests/scope.ts'
import { type ShownSuggestion, suggestedLines } from './suggestion_view.ts'

/** Suggestions that one commit applies at most. */
const MOST = 100

/** `:suggestion_id` becomes a suggestion on the merge request, or 404. */
const inSuggestion = within(inMergeRequestPage, {
  name: 'inSuggestionPage',
  path: { suggestion_id: integer('ID of a suggestion') },
  async load({ db, mergeRequest }, { suggestion_id }) {
    const [suggestion] = await suggestionsById(db, [suggestion_id])
    if (suggestion?.merge_request_id !== mergeRequest.id) throw notFound('Suggestion')
    return { suggestion }
  },
})

const back = (ctx: Caller, thread: string | undefined): string =>
  besideChanges(ctx, thread === undefined ? undefined : `thread-${thread}`) ?? mergeRequestPath(ctx)

export const applyOne = formEndpoint({
  route: `POST ${MERGE_REQUEST}/suggestions/:suggestion_id/apply`,
  summary: 'Apply a suggestion by a commit on the source branch',
  scope: inSuggestion,
  // Who may push to the source branch is asked by the command.
  can: 'create_merge_request_note',
  writes: 'own',
  async run(ctx) {
    const [applied] = await applySuggestions(ctx, [ctx.suggestion.id])
    return done(ctx, back(ctx, applied?.discussion_id), 'The suggestion was applied by a commit on the source branch.')
  },
})

export const showSuggestions = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/suggestions`,
  summary: 'Show the suggestions on a merge request that can be applied together',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  async run(ctx) {
    const address = mergeRequestPath(ctx)
    const rows = (await openSuggestions(ctx.db, ctx.actor, ctx.mergeRequest.id).limit(MOST).execute()).filter(isAppliable)
    const items = rows.map(row => {
      const suggestion = Suggestion.present(row, undefined, ctx) as ShownSuggestion
      const path = (row.at as unknown as Position).new_path
      return html`<li class="panel suggestion"><header><label class="choice"><input type="checkbox" name="ids[]" value="${row.id}" checked> <span class="mono">${path}:${suggestion.from_line}</span></label></header>${suggestedLines(suggestion)}</li>`
    })
    const form = html`<form method="post" action="${address}/suggestions">${csrfField(ctx)}<ul class="plain-list stack above-list">${items}</ul>
<div class="field"><label for="commit-message">Message of the commit <span class="muted small">(optional)</span></label><textarea class="form-control" id="commit-message" name="commit_message" rows="3" placeholder="As the project has it"></textarea></div>
<div class="row"><button class="btn btn-primary">Apply those that are chosen</button><a class="btn" href="${address}">Cancel</a></div></form>`
    const none = empty({ icon: 'pencil', title: 'No suggestions', says: 'None can be applied to the branch as it is now.' })
    const body = html`<p class="muted">One commit on the source branch applies them together.</p>${rows.length === 0 ? none : frameOf(ctx).maySay ? form : html`<ul class="plain-list stack">${items}</ul>`}`
    return pageOf(ctx, await shownOf(ctx), 'diffs', body)
  },
})

export const applySeveral = formEndpoint({
  route: `POST ${MERGE_REQUEST}/suggestions`,
  summary: 'Apply several suggestions by one commit on the source branch',
  scope: inMergeRequestPage,
  can: 'create_merge_request_note',
  writes: 'own',
  params: {
    ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: MOST, description: 'IDs of suggestions' })),
    commit_message: optional(text('Message of the commit; may have placeholders', { maxLength: 10_000 })),
  },
  async run(ctx) {
    const { ids = [], commit_message } = ctx.params
    if (ids.length === 0) throw badRequest('no suggestion was chosen')
    const rows = await suggestionsById(ctx.db, ids)
    if (rows.some(({ merge_request_id }) => merge_request_id !== ctx.mergeRequest.id)) throw notFound('Suggestion')
    const applied = await applySuggestions(ctx, ids, commit_message || undefined)
    return done(
      ctx,
      mergeRequestPath(ctx),
      `${applied.length} ${applied.length === 1 ? 'suggestion was' : 'suggestions were'} applied by one commit.`,
    )
  },
})
