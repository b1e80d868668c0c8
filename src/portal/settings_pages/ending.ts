/** What ends a project or group: asked for by its full path, so that nobody ends the wrong one. */
import { text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import type { FormDeclaration } from '../../platform/pages/forms/form.ts'

/** The field of a form that is sent only where the full path of the place was typed. */
export const typedPath = <S extends object>(
  pathOf: (subjects: S) => string,
): Required<Pick<FormDeclaration<S>, 'instead'>> & { readonly fields: readonly FieldSpec[] } => ({
  instead: {
    of: [],
    params: { full_path: text('The full path, typed', { maxLength: 1024, examples: ['group/project'] }) },
    async adapt(ctx, { full_path, ...params }) {
      if (String(full_path).trim() !== pathOf(ctx)) throw invalid({ full_path: ['is not the path of this place'] })
      return params
    },
  },
  fields: [
    {
      name: 'full_path',
      label: 'Full path, to confirm',
      hint: 'Type the path as it stands in the address.',
      autocomplete: 'off',
      required: true,
    },
  ],
})
