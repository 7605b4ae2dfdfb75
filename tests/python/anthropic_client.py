import anthropic
from anthropic import beta_tool
from cases import CAPITAL, FORECAST, KEY, QUESTION, URL, WEATHER, raised, run, same

client = anthropic.Anthropic(api_key=KEY, base_url=URL, max_retries=0)
MODELS = ["claude-sonnet-4-6", "gpt-4o", "gemini-2.5-flash"]


@beta_tool
def weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: Its name.
    """
    return f"sun in {city}"


def ask(model, content):
    return {"model": model, "max_tokens": 256, "messages": [{"role": "user", "content": content}]}


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def messages():
    for model in MODELS:
        message = client.messages.create(**ask(model, QUESTION))
        same(text_of(message), CAPITAL)
        assert message._request_id, "a message has no request id"


def stream():
    for model in MODELS:
        with client.messages.stream(**ask(model, QUESTION)) as events:
            same("".join(events.text_stream), CAPITAL)


def tool_runner():
    """Opens a thread, is told that there are none, and goes on without: nobody has to set anything."""
    for model in MODELS[1:]:
        runner = client.beta.messages.tool_runner(tools=[weather], **ask(model, WEATHER))
        same(text_of(runner.until_done()), FORECAST)


def tool_runner_stream():
    for model in MODELS[1:]:
        runner = client.beta.messages.tool_runner(tools=[weather], stream=True, **ask(model, WEATHER))
        said = [text_of(events.get_final_message()) for events in runner]
        same(said[-1], FORECAST)


def thread():
    """At Anthropic itself a thread goes on by the id of its last answer."""
    runner = client.beta.messages.tool_runner(tools=[weather], **ask("threaded", WEATHER))
    same(text_of(runner.until_done()), "continued")


def foreign_thread():
    """What goes on from an answer that is not the user's is refused as Anthropic would, in words that clients act upon."""
    body = {"thread": {"type": "continue", "previous_message_id": "msg_of_somebody"}}
    error = raised(
        anthropic.NotFoundError, lambda: client.messages.create(**ask("threaded", "x"), extra_body=body)
    )
    same(error.body["error"]["details"]["error_code"], "thread_not_found")


def errors():
    gone = raised(anthropic.NotFoundError, lambda: client.messages.create(**ask("none", "x")))
    assert gone.request_id, "an error has no request id"
    said = raised(anthropic.BadRequestError, lambda: client.messages.create(**ask("detailed", "x")))
    same(said.body["error"]["details"], {"error_code": "image_dimensions_too_large"})
    raised(anthropic.AuthenticationError, lambda: client.with_options(api_key="sk-wrong").messages.create(**ask("none", "x")))


run([messages, stream, tool_runner, tool_runner_stream, thread, foreign_thread, errors])
