import json

import openai
from cases import CAPITAL, FORECAST, KEY, QUESTION, URL, WEATHER, raised, run, same

client = openai.OpenAI(api_key=KEY, base_url=f"{URL}/v1", max_retries=0)
MODELS = ["gpt-4o", "claude-sonnet-4-6", "gemini-2.5-flash"]
TOOL = {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}


def ask(content):
    return [{"role": "user", "content": content}]


def chat():
    for model in MODELS:
        reply = client.chat.completions.create(model=model, messages=ask(QUESTION))
        same(reply.choices[0].message.content, CAPITAL)
        assert reply.usage.completion_tokens > 0


def stream():
    for model in MODELS:
        chunks = client.chat.completions.create(model=model, messages=ask(QUESTION), stream=True)
        same("".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices), CAPITAL)


def tools():
    for model in MODELS:
        messages = ask(WEATHER)
        said = {"model": model, "tools": [{"type": "function", "function": TOOL}]}
        message = client.chat.completions.create(messages=messages, **said).choices[0].message
        same([json.loads(call.function.arguments)["city"] for call in message.tool_calls], ["Paris", "Rome"])
        messages.append(message)
        messages += [{"role": "tool", "tool_call_id": call.id, "content": "sun"} for call in message.tool_calls]
        same(client.chat.completions.create(messages=messages, **said).choices[0].message.content, FORECAST)


def responses():
    for model in MODELS:
        same(client.responses.create(model=model, input=QUESTION).output_text, CAPITAL)
        with client.responses.stream(model=model, input=QUESTION) as events:
            same(events.get_final_response().output_text, CAPITAL)


def embeddings():
    vectors = client.embeddings.create(model="emu-fast", input=["one", "two"]).data
    same(len(vectors), 2)
    assert all(isinstance(number, float) for number in vectors[0].embedding)


def errors():
    gone = raised(openai.NotFoundError, lambda: client.chat.completions.create(model="none", messages=ask("x")))
    same((gone.code, gone.param), ("model_not_found", "model"))
    assert gone.request_id
    stranger = client.with_options(api_key="sk-wrong")
    raised(openai.AuthenticationError, lambda: stranger.models.list())
    limited = raised(openai.RateLimitError, lambda: client.chat.completions.create(model="limited", messages=ask("x")))
    same(limited.response.headers["retry-after"], "2")
    rootless = openai.OpenAI(api_key=KEY, base_url=URL, max_retries=0)
    raised(openai.NotFoundError, lambda: rootless.models.list())


run([chat, stream, tools, responses, embeddings, errors])
