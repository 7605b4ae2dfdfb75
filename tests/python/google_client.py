from cases import CAPITAL, FORECAST, KEY, QUESTION, URL, WEATHER, raised, run, same
from google import genai
from google.genai import errors as genai_errors
from google.genai import types

client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=URL))
MODELS = ["gemini-2.5-flash", "gpt-4o", "claude-sonnet-4-6"]
CITY = types.Schema(type="OBJECT", properties={"city": types.Schema(type="STRING")})
WEATHER_TOOL = types.Tool(function_declarations=[types.FunctionDeclaration(name="weather", parameters=CITY)])


def content():
    for model in MODELS:
        reply = client.models.generate_content(model=model, contents=QUESTION)
        same(reply.text, CAPITAL)
        assert reply.usage_metadata.candidates_token_count > 0


def stream():
    for model in MODELS:
        chunks = client.models.generate_content_stream(model=model, contents=QUESTION)
        same("".join(chunk.text or "" for chunk in chunks), CAPITAL)


def chat():
    """The client keeps only turns that it takes for whole, so a model that sees all of them proves that each one was."""
    for model in MODELS:
        talk = client.chats.create(model=model)
        for turn in range(10):
            chunks = talk.send_message_stream(f"This is turn {turn}.")
            same("".join(chunk.text or "" for chunk in chunks), f"Answer {turn} of ten.")
        users = [content for content in talk.get_history(curated=True) if content.role == "user"]
        same(len(users), 10)


def tools():
    config = types.GenerateContentConfig(tools=[WEATHER_TOOL])
    for model in MODELS:
        history = [types.Content(role="user", parts=[types.Part(text=WEATHER)])]
        reply = client.models.generate_content(model=model, contents=history, config=config)
        same([call.args["city"] for call in reply.function_calls], ["Paris", "Rome"])
        results = [
            types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response={"sky": "sun"}))
            for call in reply.function_calls
        ]
        history += [reply.candidates[0].content, types.Content(role="user", parts=results)]
        same(client.models.generate_content(model=model, contents=history, config=config).text, FORECAST)


def thinking():
    """A signature of Claude's travels through Google's client, which decodes it, and reaches Claude again as it was."""
    chat = client.chats.create(model="thinker")
    first = chat.send_message("Think.")
    assert any(part.thought_signature for part in first.candidates[0].content.parts), "no signature"
    same(chat.send_message("Again.").text, "signature whole")


def errors():
    gone = raised(genai_errors.ClientError, lambda: client.models.generate_content(model="none", contents="x"))
    same((gone.code, gone.status), (404, "NOT_FOUND"))
    limited = raised(genai_errors.ClientError, lambda: client.models.generate_content(model="limited", contents="x"))
    kinds = [detail["@type"].rsplit(".", 1)[1] for detail in limited.details["error"]["details"]]
    # How long to wait, and not the quotas of the operator's account.
    same(kinds, ["RetryInfo", "ErrorInfo"])


run([content, stream, chat, tools, thinking, errors])
