/** Requested model → upstream's model. */
export type ModelMapping = ReadonlyMap<string, string>

/** Reads a channel's `model_mapping` text; null or blank is an empty mapping. */
export declare function parseModelMapping(text: string | null): ModelMapping | { readonly problem: string }

/** Applied once, exact name, no chains. */
export declare function mapModel(mapping: ModelMapping, model: string): string
