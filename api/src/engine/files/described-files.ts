import { isFile, type Field, type Model } from '@gatehouse/model'
import type { Files } from '#platform/files/open-files.ts'

/**
 * A model as forms and pages get it: where the installation stores no files, they have no file fields, as their inputs could
 * not work; elsewhere each field says the size of the largest file that is taken.
 */
export function describedWithFiles(model: Model, files: Files | null): Model {
  const describe = (fields: Model['fields']) => describedFields(fields, files)
  const actions = Object.entries(model.actions).map(([name, action]) => [
    name,
    action.fields ? { ...action, fields: describe(action.fields) } : action,
  ])
  return { ...model, fields: describe(model.fields), actions: Object.fromEntries(actions) }
}

const describedFields = (fields: Record<string, Field>, files: Files | null) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (!isFile(field)) return [[name, field]]
      return files ? [[name, withLimit(field, files.uploads.maxBytes)]] : []
    }),
  )

const withLimit = (field: Field, limit: number): Field => ({
  ...field,
  maxBytes: Math.min(field.maxBytes ?? limit, limit),
})
