import { definitionAt, type Definition } from '#data/definitions.ts'
import { asObject, readFields } from '#data/field.ts'
import { fieldFacts } from '#forms/inputs/types.ts'
import type { FormField } from '#forms/inputs/values.ts'

/** The file field of a model, if the server has it: not without storage, nor if the caller may not read the model. */
export const fileFieldOf = (definition: Definition | undefined, name: string): FormField | null =>
  definition?.viewData.fields.find((field) => field.name === name && isFile(field)) ?? null

/** The file field of an action’s form. */
export function actionFileField(model: string, action: string, name: string): FormField | null {
  const found = definitionAt(model)
    ?.actions?.map(asObject)
    .find((one) => one['name'] === action)
  const fields = found && Array.isArray(found['fields']) ? readFields(found['fields']) : []
  return fields.find((field) => field.name === name && isFile(field)) ?? null
}

const isFile = (field: FormField) => fieldFacts(field).column === 'uuidArray'
