/** Chat models that a kind offers today, for the channel form. `today` in unix ms drops models past their shutdown. */
export declare function defaultModels(kindCode: number, today: number): readonly string[]

/** Type code → model names, for GET /api/models. */
export declare function modelsByKind(today: number): Readonly<Record<string, readonly string[]>>

/** JSON text of ratio, completion_ratio and max_tokens per default model, for GET /api/channel/default-pricing. */
export declare function defaultPricing(kindCode: number, today: number): string
