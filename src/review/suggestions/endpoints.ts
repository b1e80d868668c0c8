/** Applying suggestions in diff threads (suggest changes API at 14.0). */
import Type from 'typebox'
import { Suggestion, Suggestions } from '../../collaboration/suggestions/entity.ts'
import type { SuggestionRow } from '../../collaboration/suggestions/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { applySuggestions } from './commands.ts'

const commit_message = optional(text('Message of the commit; may have placeholders', { maxLength: 10_000 }))

export const applySuggestion = endpoint({
  route: 'PUT /suggestions/:id/apply',
  summary: 'Apply a suggestion by a commit on the source branch',
  scope: inSelf,
  // The right to push to the source branch decides.
  can: 'update_own',
  writes: 'own',
  params: { id: integer('ID of a suggestion', { examples: [1] }), commit_message },
  answers: one(Suggestion),
  run: async ctx => (await applySuggestions(ctx, [ctx.params.id], ctx.params.commit_message))[0] as SuggestionRow,
})

export const applySuggestionBatch = endpoint({
  route: 'PUT /suggestions/batch_apply',
  summary: 'Apply several suggestions of one merge request by one commit',
  scope: inSelf,
  can: 'update_own',
  writes: 'own',
  params: {
    ids: Type.Array(Type.Integer(), { minItems: 1, maxItems: 100, description: 'IDs of suggestions', examples: [[1]] }),
    commit_message,
  },
  answers: one(Suggestions),
  errors: ['not_found'],
  run: ctx => applySuggestions(ctx, ctx.params.ids, ctx.params.commit_message),
})
