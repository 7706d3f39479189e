/**
 * The types of the library's methods, computed from the operations. The package ships them written out, with what an editor
 * shows of them (packaging/library-types.ts).
 */
import type * as z from 'zod/mini'
import type { definitions } from './operations/index.ts'
import type { Members } from './operations/operation.ts'

type Definitions = typeof definitions

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

type Input<M extends Members> = z.input<z.ZodMiniObject<M>>

type Variants<Name extends keyof Definitions> = NonNullable<Definitions[Name]['variants']>

/** What a variant of an operation answers: `VariantOutput<'recall', 'explain'>`. */
export type VariantOutput<
  Name extends keyof Definitions,
  Variant extends keyof Variants<Name>,
> = Variants<Name>[Variant] extends { readonly run: (...input: never[]) => Promise<infer O> } ? O : never

/** How it is called: without an argument where nothing in it is required. */
type Arguments<I> = Record<never, never> extends I ? [input?: I] : [input: I]

/** A method an operation: `recall_dreams` is `recallDreams`. Inputs and outputs are those of the HTTP API. */
export type Methods = {
  [Name in keyof Definitions as Camel<Name>]: (
    ...input: Arguments<Input<Definitions[Name]['members']>>
  ) => Promise<z.output<ReturnType<Definitions[Name]['output']>>>
}
