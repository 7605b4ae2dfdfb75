from cases import CAPITAL, FORECAST, KEY, QUESTION, URL, WEATHER, run, same
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI

MODELS = ["gpt-4o", "claude-sonnet-4-6", "gemini-2.5-flash"]


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return "sun"


def of_openai(model):
    return ChatOpenAI(model=model, api_key=KEY, base_url=f"{URL}/v1", max_retries=0)


def of_anthropic(model):
    return ChatAnthropic(model=model, api_key=KEY, base_url=URL, max_retries=0, max_tokens=256)


def of_google(model):
    return ChatGoogleGenerativeAI(model=model, google_api_key=KEY, base_url=URL, max_retries=1)


def try_all(make):
    for name in MODELS:
        model = make(name)
        same(model.invoke(QUESTION).text, CAPITAL)
        same("".join(chunk.text for chunk in model.stream(QUESTION)), CAPITAL)
        bound = model.bind_tools([weather])
        history = [HumanMessage(WEATHER)]
        history.append(bound.invoke(history))
        same([call["args"]["city"] for call in history[1].tool_calls], ["Paris", "Rome"])
        history += [ToolMessage("sun", tool_call_id=call["id"]) for call in history[1].tool_calls]
        same(bound.invoke(history).text, FORECAST)


def openai():
    try_all(of_openai)


def anthropic():
    try_all(of_anthropic)


def google():
    try_all(of_google)


def thinking():
    """The wrapper decodes signatures too."""
    model = of_google("thinker")
    first = model.invoke("Think.")
    same(model.invoke([HumanMessage("Think."), first, HumanMessage("Again.")]).text, "signature whole")


run([openai, anthropic, google, thinking])
